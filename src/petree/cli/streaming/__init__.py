"""Commands for data that do not fit into memory."""
