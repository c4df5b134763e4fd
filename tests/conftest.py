"""Settings of all tests."""

from hypothesis import settings

# Examples run beside other tests, so that their time says nothing.
settings.register_profile("petree", deadline=None)
settings.load_profile("petree")
