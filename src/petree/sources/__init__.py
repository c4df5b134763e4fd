"""Sources: places that can count classes at the nodes of a tree and divide their rows."""
