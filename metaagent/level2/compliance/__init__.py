"""Compliance: judges documents and expenses by rule packs, and says by which rule, article and rows."""
