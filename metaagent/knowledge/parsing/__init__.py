"""Parsers of files: one module a format, each a function from content to blocks of text, with a clear error for bad files."""
