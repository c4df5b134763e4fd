"""Data sets in parts: coded once into files, so that no more than a budget of memory is ever needed."""
