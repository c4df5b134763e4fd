"""Facts and rules of a program, and the rows that rules make."""
