"""The nodes of the graph: analyze, plan, approve, respond. The execution node is `level1/execution_manager`."""
