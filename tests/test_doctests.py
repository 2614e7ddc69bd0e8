"""The examples in docstrings, compiled modules included, and in the documentation."""

import doctest
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import patchwork

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
MODULES = ["patchwork"] + [
    module.name
    for module in pkgutil.walk_packages(patchwork.__path__, "patchwork.")
    if not module.name.startswith("patchwork._engine") and not module.name.endswith("__main__")
]


def docstrings(module: ModuleType) -> Iterator[tuple[str, str]]:
    """Yield name and docstring of a module, its functions and classes, and their members."""
    yield module.__name__, module.__doc__ or ""
    for name, value in vars(module).items():
        if getattr(value, "__module__", None) != module.__name__:
            continue
        yield name, inspect.getdoc(value) or ""
        if inspect.isclass(value):
            for member, attribute in vars(value).items():
                yield f"{name}.{member}", getattr(attribute, "__doc__", None) or ""


def examples_pass(name: str, text: str, names: dict[str, object]) -> bool:
    test = doctest.DocTestParser().get_doctest(inspect.cleandoc(text), names, name, None, 0)
    return doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    module = importlib.import_module(name)
    failed = [
        place
        for place, text in docstrings(module)
        if ">>>" in text and not examples_pass(place, text, dict(vars(module)))
    ]
    assert failed == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages(page: Path) -> None:
    # A closing fence would be read as expected output.
    text = re.sub(r"^ *```.*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert examples_pass(page.name, text, {})
