"""Calls of an object that each name a person, made by one person."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from metaagent.ports import User

P = ParamSpec("P")
R = TypeVar("R")


class CallsOfPerson:
    """The object `whole`, as far as this person may use it: subclasses name its calls with `by_person`."""

    def __init__(self, whole: Any, user: User) -> None:
        self.whole = whole
        self.user = user


def by_person(call: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[CallsOfPerson, P], R]:
    """The same call, made by the person. Whoever names a person here, even this one, gets a TypeError."""

    @wraps(call)
    def made(self: CallsOfPerson, *args: P.args, **options: P.kwargs) -> R:
        return getattr(self.whole, call.__name__)(*args, **options, user=self.user)

    return made
