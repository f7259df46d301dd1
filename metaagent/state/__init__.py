"""State: creating, validating, changing, merging, shrinking and migrating session states. All of it is pure."""
