"""Access: `rights` decides who may do what; `gatekeeper` refuses and records."""
