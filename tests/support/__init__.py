"""Helpers and data that several tests share; no test lives here."""
