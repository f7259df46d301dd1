"""Inspection: read-only views of a turn for people.

`inspector` has snapshots per node and the history of a field; `report` writes a turn as an HTML page (`report.html`), and
`labels` has the words of reports and tables.
"""
