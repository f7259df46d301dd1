"""A semantic query as one SQL statement: facts at their own grain, conditions, figures, ranking and output."""
