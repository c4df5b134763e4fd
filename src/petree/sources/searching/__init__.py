"""Ways to search the rows of a table for the best tests of nodes."""
