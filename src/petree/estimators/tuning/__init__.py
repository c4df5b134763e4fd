"""What is chosen on inner folds of the training cases: the size of a tree, and the parameters of its smoothing."""
