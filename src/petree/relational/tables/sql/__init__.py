"""Tables of database servers, read and written through SQLAlchemy."""
