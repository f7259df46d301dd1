"""A first semantic model of any database, drafted from its keys, types, names and values, for a person to correct."""
