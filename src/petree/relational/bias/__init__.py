"""Language bias: which literals may refine a query, declared or made from a schema, and with which values."""
