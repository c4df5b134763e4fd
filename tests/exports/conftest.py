"""A PostgreSQL server for the tests that ask for one."""

from tests.postgres import postgres_server

__all__ = ["postgres_server"]
