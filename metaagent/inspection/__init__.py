"""Inspection: read-only views of a turn for people.

`inspector` has snapshots per node and the history of a field; `report` writes the HTML page of a turn, `report_svg` its picture.
"""
