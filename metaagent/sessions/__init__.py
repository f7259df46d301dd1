"""Sessions: one turn from admission to its end, and the life of whole sessions.

`turn_service` admits a question, `runner` runs turns and their locks, `turn` runs one turn through the graph,
`turn_input` and `outcome` make what goes in and what a door gets back, `context_factory` builds what the nodes are
given. `lifecycle`, `archive` and `bundle` restore, fork, export, import and delete sessions. `assembly` puts the parts
of an installation together.
"""
