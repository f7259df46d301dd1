"""Care for a data directory over years: consistent backups while turns run, restoring, and checks of what is stored.

Works on files and databases as they lie on the disk, without opening the application, so that it also works on a directory
that no longer opens.
"""
