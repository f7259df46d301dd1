"""Memory: long-term memory as pure decisions.

`notes` reads what a person wants to be remembered, `recall` chooses and ranks memories, `conclusions` decides what a finished
turn leaves, `embedding` makes vectors without a model.
"""
