"""A question read by composition: typed pieces, a small grammar of meanings, ranked readings, one semantic request."""
