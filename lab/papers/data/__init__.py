"""The papers' data sets: files, OpenML, generators, and what the papers made of them."""
