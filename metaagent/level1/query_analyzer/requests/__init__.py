"""Orders besides figures: what is to be written, changed, checked, looked up or stored, what is declined or tied to a condition,
and which parts a request has.
"""
