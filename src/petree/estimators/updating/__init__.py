"""New rows for a fitted tree."""
