"""Whole turns through the runtime."""
