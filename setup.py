"""The extension modules; everything else about the package is in pyproject.toml.

Environment variables set to 1 change the build, alone or together:

PATCHWORK_DEBUG     bounds checks and assertions, no optimisation, debug symbols
PATCHWORK_SANITIZE  AddressSanitizer and UndefinedBehaviorSanitizer, assertions
PATCHWORK_TRACE     line tracing for coverage of the Cython sources
"""

import os
import sys
import sysconfig
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

DEBUG, SANITIZE, TRACE = (
    os.environ.get(f"PATCHWORK_{switch}") == "1" for switch in ("DEBUG", "SANITIZE", "TRACE")
)
BUILD = "build/" + ("-debug" * DEBUG + "-sanitize" * SANITIZE + "-trace" * TRACE or "-release")[1:]
X86_64 = sysconfig.get_platform().endswith(("x86_64", "amd64")) and sys.maxsize > 2**32
MSVC = sys.platform == "win32"
INCLUDED = [
    path.as_posix()
    for path in sorted(Path("src/patchwork").rglob("*"))
    if path.suffix in (".pxd", ".pxi", ".h")
]
AVX2 = ["/arch:AVX2"] if MSVC else ["-mavx2", "-mbmi", "-mbmi2", "-mlzcnt", "-mpopcnt"]

# Module, whether this machine can have it, and its own compiler flags.
MODULES = [
    ("_core", True, []),
    ("_batch", True, []),
    ("_engine/_kernel_portable", True, []),
    ("_engine/_kernel_avx2", X86_64, AVX2),
]

DIRECTIVES = {
    "language_level": 3,
    # Plain built-in functions: faster to call, and the signature in the docstring keeps
    # inspect.signature working.
    "binding": False,
    "embedsignature": True,
    "embedsignature.format": "clinic",
    "autotestdict": False,
    "boundscheck": DEBUG or SANITIZE,
    "initializedcheck": DEBUG or SANITIZE,
    "wraparound": False,
    "cdivision": True,
    "freethreading_compatible": True,
    "linetrace": TRACE,
}


def compiler_flags() -> list[str]:
    if MSVC:
        return ["/Od", "/Zi", "/UNDEBUG"] if DEBUG else ["/O2"]
    flags = ["-Wall", "-Wextra", "-Wno-sign-compare"]  # Cython's range() compares an enum's int
    if DEBUG:
        flags += ["-O0", "-g", "-UNDEBUG"]
    elif SANITIZE or TRACE:
        flags += ["-O1", "-g", "-UNDEBUG"]
    else:
        flags += ["-O3", "-g0"]
    return flags + sanitizer_flags()


def sanitizer_flags() -> list[str]:
    if MSVC or not SANITIZE:
        return []
    return ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]


def macros() -> list[tuple[str, str]]:
    if TRACE:
        # Coverage sees Cython through the classic tracer only.
        return [
            ("CYTHON_TRACE", "1"),
            ("CYTHON_TRACE_NOGIL", "1"),
            ("CYTHON_USE_SYS_MONITORING", "0"),
        ]
    return [] if DEBUG or SANITIZE else [("CYTHON_WITHOUT_ASSERTIONS", "1")]


def extension(module: str, flags: list[str]) -> Extension:
    return Extension(
        "patchwork." + module.replace("/", "."),
        [f"src/patchwork/{module}.pyx"],
        include_dirs=["src/patchwork/include", "src/patchwork/_engine", "src/patchwork"],
        depends=INCLUDED,
        define_macros=macros(),
        extra_compile_args=compiler_flags() + flags,
        extra_link_args=sanitizer_flags(),
    )


setup(
    ext_modules=cythonize(
        [extension(module, flags) for module, possible, flags in MODULES if possible],
        compiler_directives=DIRECTIVES,
        build_dir=BUILD,
    ),
    options={"build": {"build_base": BUILD}, "build_ext": {"parallel": os.cpu_count()}},
)
