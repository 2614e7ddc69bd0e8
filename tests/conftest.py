"""What all tests share."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# Sanitized and traced builds are slow: no example has a deadline.
settings.register_profile("patchwork", settings(), deadline=None)
settings.load_profile("patchwork")


@pytest.fixture(scope="session")
def games_folder() -> Path:
    """The folder of recorded games, for tests marked ``games``."""
    return Path(os.environ["GAMES"])
