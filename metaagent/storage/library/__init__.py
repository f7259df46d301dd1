"""Collections of documents: texts, chunks and terms in one SQLite file, sealed or hashed with a key; vectors in embedded
Chroma. `database` has the tables, `shelf` the rows of documents, `postings` the terms, `vectors` the Chroma side,
`engine` puts and removes documents and rebuilds an index, `port` is what an agent searches."""
