"""From probabilities to decisions: what wrong answers cost, and base rates other than those of the training data."""
