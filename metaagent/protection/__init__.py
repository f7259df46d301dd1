"""Protection: what keeps data confidential.

`keys/` holds the key ring, `sealing` encrypts values for their row (`row_context`), `redaction/` finds
personal data, `escaping` makes hostile text harmless.
"""
