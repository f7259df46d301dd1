"""Packages of others that are run when something of them is used: LangGraph takes one class of its client for servers and one
of its tracing's types, and would import both clients whole.

A package in `LATE` gathers names of its modules and does nothing else. Its modules are imported as always; its own names are
there as soon as somebody asks for one of them.
"""

from __future__ import annotations

import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

LATE = frozenset({"langgraph_sdk", "langsmith.types"})
_LOCK = RLock()


class _Late(ModuleType):
    """Stands for a package until somebody asks for a name that it does not have yet."""

    def __getattr__(self, name: str) -> Any:
        loader = self.__spec__ and self.__spec__.loader
        if isinstance(loader, _Waiting) and loader.has_run(self):
            return getattr(self, name)
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")


class _Waiting(Loader):
    """Makes the package without running it."""

    def __init__(self, real: Loader) -> None:
        self._real = real
        self._running = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._real.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Wait: see `has_run`."""
        module.__class__ = _Late

    def has_run(self, module: ModuleType) -> bool:
        """Run the package, once. Other threads wait for it; what it asks for of itself meanwhile is not there yet, as ever."""
        with _LOCK:
            if self._running:
                return False
            spec = module.__spec__
            if spec is not None and spec.loader is self:
                self._running = True
                try:
                    self._real.exec_module(module)
                    spec.loader = module.__loader__ = self._real
                finally:
                    self._running = False
        return True


class LatePackages(MetaPathFinder):
    """Finds the packages in `names`, and nothing else."""

    def __init__(self, names: frozenset[str] = LATE) -> None:
        self._names = names

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in self._names:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Waiting(spec.loader)
        return spec

    def stand_in(self) -> None:
        """Be asked before Python's own finders."""
        if not any(isinstance(each, LatePackages) for each in sys.meta_path):
            sys.meta_path.insert(0, self)
