"""The command line: one module a command, listed in `main`.

`door` says who asks and turns replies and errors into text or JSON and an exit code; `options` has the options that
commands share; `screen` and `output` print.
"""
