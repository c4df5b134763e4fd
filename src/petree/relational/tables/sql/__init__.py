"""Tables of database servers, read and written through SQLAlchemy; imported when first needed."""

from __future__ import annotations

try:
    import sqlalchemy  # noqa: F401
except ImportError as error:
    raise ImportError("Databases need SQLAlchemy: pip install 'petree[sql]'.") from error
