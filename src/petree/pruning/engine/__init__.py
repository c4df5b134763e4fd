"""What pruning criteria are made of: walks over a tree, what a node is judged by, the context, and the log."""
