"""The scikit-learn faces."""
