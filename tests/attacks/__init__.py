"""Attacks on the protection boundary, as generators with a seed: a sample runs with the tests, all with `make attack`."""
