"""Python in a new process, for what has to hold between processes."""

from __future__ import annotations

import subprocess
import sys


def in_new_process(code: str, stdin: bytes = b"") -> str:
    """What a program prints that gets these bytes to read; it must not fail."""
    run = subprocess.run([sys.executable, "-c", code], input=stdin, capture_output=True)
    assert run.returncode == 0, run.stderr.decode()
    return run.stdout.decode().strip()
