"""Facts that follow from a plan's graph: order, critical path, width, strategy. Pure and total for any DAG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from metaagent.global_state import DependencyGraph, ExecutionStrategy

Dependencies = Mapping[str, Sequence[str]]


def topological(dependencies: Dependencies) -> list[str] | None:
    """Steps after all they depend on, otherwise in the given order; None if there is a cycle."""
    order = _freed(dependencies)
    return order if len(order) == len(dependencies) else None


def in_cycles(dependencies: Dependencies) -> set[str]:
    """Steps that wait for themselves through others, and those that wait for these."""
    return set(dependencies).difference(_freed(dependencies))


def _freed(dependencies: Dependencies) -> list[str]:
    """The steps that can ever start, by depth. A plan is asked for them again and again."""
    return [*_freed_of(tuple((step, tuple(needs)) for step, needs in dependencies.items()))]


@lru_cache(256)
def _freed_of(given: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[str, ...]:
    """Looks at each dependency once."""
    dependencies = dict(given)
    waits = {step: {need for need in needs if need in dependencies} for step, needs in dependencies.items()}
    followers: dict[str, list[str]] = {}
    for step, needs in waits.items():
        for need in needs:
            followers.setdefault(need, []).append(step)
    place = {step: number for number, step in enumerate(dependencies)}
    order: list[str] = []
    ready = [step for step, needs in waits.items() if not needs]
    while ready:
        order += ready
        freed: list[str] = []
        for step in ready:
            for follower in followers.get(step, ()):
                waits[follower].remove(step)
                if not waits[follower]:
                    freed.append(follower)
        ready = sorted(freed, key=place.__getitem__)
    return tuple(order)


def ancestors(step: str, dependencies: Dependencies) -> frozenset[str]:
    """Every step that this one waits for, itself or through others."""
    found: set[str] = set()
    waiting = [step]
    while waiting:
        more = {need for need in dependencies.get(waiting.pop(), ()) if need in dependencies} - found
        found |= more
        waiting += more
    return frozenset(found)


def depths(dependencies: Dependencies) -> dict[str, int]:
    found: dict[str, int] = {}
    for step in topological(dependencies) or ():
        found[step] = max((found[d] + 1 for d in dependencies[step] if d in found), default=0)
    return found


def tails(dependencies: Dependencies, seconds: Mapping[str, float]) -> dict[str, float]:
    """Compute for each step the longest time from its start to the end of the plan."""
    found: dict[str, float] = {}
    for step in reversed(topological(dependencies) or []):
        after = max(
            (found[s] for s, needs in dependencies.items() if step in needs and s in found), default=0.0
        )
        found[step] = seconds.get(step, 0.0) + after
    return found


def critical_path(dependencies: Dependencies, seconds: Mapping[str, float]) -> float:
    return max(tails(dependencies, seconds).values(), default=0.0)


def priority_order(dependencies: Dependencies, seconds: Mapping[str, float]) -> list[str]:
    """The step with the longest path behind it first."""
    tail = tails(dependencies, seconds)
    return sorted(tail, key=lambda step: (-tail[step], list(dependencies).index(step)))


def parallel_groups(dependencies: Dependencies) -> list[list[str]]:
    """Steps of the same depth never depend on each other."""
    levels: dict[int, list[str]] = {}
    for step, depth in depths(dependencies).items():
        levels.setdefault(depth, []).append(step)
    return [steps for _, steps in sorted(levels.items()) if len(steps) > 1]


def side_by_side(dependencies: Dependencies) -> set[str]:
    """Steps beside which another may run: one that neither leads to them nor follows from them."""
    before: dict[str, set[str]] = {}
    after = dict.fromkeys(dependencies, 0)
    for step in topological(dependencies) or ():
        needs = [need for need in dependencies[step] if need in before]
        before[step] = set(needs).union(*(before[need] for need in needs))
        for earlier in before[step]:
            after[earlier] += 1
    return {step for step, led in before.items() if len(led) + after[step] + 1 < len(dependencies)}


def strategy(dependencies: Dependencies) -> ExecutionStrategy:
    if not parallel_groups(dependencies):
        return "sequential"
    return "pipeline" if any(dependencies.values()) else "parallel"


def graph_of(dependencies: Dependencies) -> DependencyGraph:
    return {
        "nodes": list(dependencies),
        "edges": [[before, step] for step, needs in dependencies.items() for before in needs],
    }
