"""``python -m patchwork`` is the command ``patchwork``."""

from __future__ import annotations

import sys

from patchwork.cli import main

if __name__ == "__main__":
    sys.exit(main())
