"""Pure logic: no whole MetaAgent, no server, no child process."""
