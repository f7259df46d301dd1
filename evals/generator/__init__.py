"""Questions made from a semantic model: meanings, their answers by plain Python over the rows, and many wordings of each.

Nothing here uses the reader of questions or the compiler of queries: that distance is what makes the result a test.
"""
