"""Documents and expense lists made from facts, with the outcome that the facts decide: a measure independent of the reader."""
