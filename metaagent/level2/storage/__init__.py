"""The storage agent: decides where something belongs, maps it onto tables, shows what would change, and stores it once."""
