"""The web doors: one server with the page, the HTTP API and the protocols that other tools speak.

Doors translate and decide nothing: rights, plans and gates stay in the core, and every call is made for a person.
"""
