"""Storing for good: rows, files and searchable texts that commit together, each batch with one receipt.

The commit is one transaction of `Ledger`, in the database of the rows: rows, receipt and the texts still to be indexed. Files
are written before it under the digest of their content, where nobody finds them without the receipt; texts are indexed after
it, from the receipt. What a crash leaves undone is done by whoever comes next (`RecordStore.settle`).
"""
