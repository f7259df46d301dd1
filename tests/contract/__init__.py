"""Conformance suites, and the ports as their users rely on them."""
