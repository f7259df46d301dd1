"""Data: reading business data in SQL.

`semantic/` is the semantic model and its compiler; `guard`, `grammar` and `policy` check SQL; `read_only`
opens a database that cannot be written, `sqlite`, `postgres` and `duckdb` are its dialects; `job` runs one
query with limits. `engine` opens a database for SQLAlchemy, where its tables are described.
"""
