"""Drawings of states and games."""

from patchwork.render.terminal import text

__all__ = ["text"]
