"""PostgreSQL, DuckDB servers and chat servers."""
