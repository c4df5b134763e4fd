"""Pages of results: words, tables and figures."""
