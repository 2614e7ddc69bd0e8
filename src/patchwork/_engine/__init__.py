"""The rules of the game in Cython and C, built once for every kernel."""
