"""Memory: long-term memory as pure decisions.

`recall` chooses and ranks memories, `conclusions` decides what a finished turn leaves, `embedding` makes vectors without a model.
"""
