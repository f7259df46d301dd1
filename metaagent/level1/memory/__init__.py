"""Requests about memory inside a conversation ("remember that ...", "forget ...") and what a turn leaves in memory."""
