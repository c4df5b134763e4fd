"""What estimators learn from and how: cases, the recipe by which a tree is grown and pruned, what pruning may ask for."""
