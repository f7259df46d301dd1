"""Documents that are executed or follow from the code."""
