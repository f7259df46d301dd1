"""Evaluation: scoring understanding and analysis on files of questions."""
