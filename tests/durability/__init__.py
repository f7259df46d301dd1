"""Kills, crashes, full disks, migrations, new keys."""
