"""Attacks on the boundary, generated with seeds: `python -m tests.attacks` runs all, a sample runs with the tests. README.md
says which weakness each test is about."""
