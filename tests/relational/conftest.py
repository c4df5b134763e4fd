"""A PostgreSQL server for the tests that ask for one."""

from tests.postgres import postgres, postgres_server

__all__ = ["postgres", "postgres_server"]
