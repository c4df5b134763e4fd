"""What estimators learn from, the recipe by which a tree is grown and pruned, and what pruning may ask for."""
