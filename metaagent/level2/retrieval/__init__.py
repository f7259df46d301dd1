"""The agent that finds passages in documents, rows of the database and, where switched on, pages of the web.

`asking` makes queries of a question, `sources` runs them side by side, `choosing` ranks what they found, `sentences` and `answer`
say it with a citation for every sentence, `agent` holds them together.
"""
