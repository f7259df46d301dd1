"""Inspection: read-only views of a turn for people.

`inspector` has snapshots per node and the history of a field; `report` writes a turn as an HTML page (template `report.html`), `labels` has the words.
"""
