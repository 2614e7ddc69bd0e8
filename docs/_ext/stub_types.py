"""Gives the documentation of compiled classes the types and the order of their stubs."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer

MODULES = ("patchwork._core", "patchwork._batch")
MOVE_VIEWS = ("LegalMoves", "Placements")
"""Classes that inherit from MoveView."""

Stub = ast.FunctionDef


def setup(app: Sphinx) -> dict[str, bool]:
    for module in MODULES:
        source = _stub_of(module).read_text(encoding="utf-8")
        # Where autodoc looks for the order of members and for overloads.
        ModuleAnalyzer.cache["module", module] = ModuleAnalyzer.for_string(source, module)
        STUBS.update(_functions(ast.parse(source)))
    app.connect("autodoc-process-signature", _typed_signature)
    app.connect("autodoc-process-docstring", _typed_docstring)
    return {"parallel_read_safe": True}


STUBS: dict[str, Stub] = {}
"""The stubs of functions and methods by name, such as ``State.after``."""


def _stub_of(module: str) -> Path:
    file = import_module(module).__file__
    assert file is not None
    return Path(file).parent / f"{module.rpartition('.')[2]}.pyi"


def _functions(tree: ast.Module) -> dict[str, Stub]:
    functions = _by_name(tree.body)
    for parent in tree.body:
        if isinstance(parent, ast.ClassDef):
            members = _by_name(parent.body)
            functions |= {f"{parent.name}.{name}": stub for name, stub in members.items()}
    return functions


def _by_name(body: list[ast.stmt]) -> dict[str, Stub]:
    functions: dict[str, Stub] = {}
    for node in body:
        if isinstance(node, Stub):
            first = functions.setdefault(node.name, node)
            if first is not node:
                _merge(first, node)
    return functions


def _merge(stub: Stub, overload: Stub) -> None:
    """Let a stub take and return what another overload of the function does, too."""
    for one, other in zip(_arguments(stub), _arguments(overload), strict=True):
        one.annotation = _union(one.annotation, other.annotation)
    stub.returns = _union(stub.returns, overload.returns)


def _arguments(stub: Stub) -> list[ast.arg]:
    return [*stub.args.posonlyargs, *stub.args.args, *stub.args.kwonlyargs]


def _union(*types: ast.expr | None) -> ast.expr | None:
    names = dict.fromkeys(ast.unparse(one).replace("_B", "Buffer") for one in types if one)
    return ast.parse(" | ".join(names), mode="eval").body if names else None


def _stub(name: str, of: Any) -> Stub | None:
    """Return the stub of a documented name, or of the class that it inherits the member from."""
    short = name.removeprefix("patchwork.")
    owner, _, member = short.rpartition(".")
    if isinstance(of, type):
        return STUBS.get(f"{short}.__init__")
    return STUBS.get(short) or STUBS.get(f"MoveView.{member}" if owner in MOVE_VIEWS else "")


def _shown(stub: Stub) -> str:
    arguments = ast.unparse(stub.args).removeprefix("self").removeprefix("cls").lstrip(", /")
    return f"({arguments})"


def _typed_signature(
    app: Sphinx, what: str, name: str, of: Any, options: Any, signature: str | None, returns: str
) -> tuple[str, str] | None:
    stub = _stub(name, of)
    if stub is None or signature is None:
        return None
    return _shown(stub), "" if stub.returns is None else ast.unparse(stub.returns)


def _typed_docstring(
    app: Sphinx, what: str, name: str, of: Any, options: Any, lines: list[str]
) -> None:
    """Begin with the type of a property, or with how an object is made."""
    stub = _stub(name, of)
    if stub is None or stub.returns is None:
        return
    if what == "class":
        lines[:0] = [f"``{name.removeprefix('patchwork.')}{_shown(stub)}``", ""]
    elif what in ("attribute", "property"):
        lines[0] = f"``{ast.unparse(stub.returns)}`` -- {lines[0]}"
