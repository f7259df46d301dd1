"""Statements of a text about giving: sentences, acts, sums, people, occasions, and whether each is asserted, quoted or denied."""
