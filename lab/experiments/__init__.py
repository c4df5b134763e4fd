"""Methods compared on data sets by repeated cross-validation."""
