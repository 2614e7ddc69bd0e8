"""Line coverage of the Cython sources: Cython's own plugin, shown all the generated C at once.

Left alone it looks for a C file beside each source, where ours are not.
"""

import sys
from pathlib import Path

from coverage.plugin_support import Plugins
from Cython.Coverage import Plugin


def coverage_init(registry: Plugins, options: object) -> None:
    plugin = Plugin()
    sys.path.append("src")  # the C names its main source relative to this folder
    for path in Path("build/trace").rglob("*.c"):
        plugin._read_source_lines(str(path), "")
    sys.path.remove("src")
    registry.add_file_tracer(plugin)
