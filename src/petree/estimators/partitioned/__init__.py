"""Fits of data sets in parts."""
