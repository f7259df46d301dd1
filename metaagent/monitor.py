"""Watches states and agents: what changed between two states, how an agent did so far, and what is out of the ordinary.
Pure and total: nothing here reads or writes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from math import comb, exp, log, sqrt
from typing import TYPE_CHECKING, Any

from typing_extensions import TypedDict

from metaagent.errors import Text
from metaagent.global_state import Json
from metaagent.values import content, iso, mapping, number, rows, text

if TYPE_CHECKING:
    from langgraph.checkpoint.serde.base import SerializerProtocol

RECENT_RUNS = 20
"""The number of an agent's last runs that are set against all earlier ones."""
SHORTEST_RUN = 0.001
"""Seconds: what our times resolve, and the least that has a logarithm."""

_GROWN = Text(
    en="The session's state grew to {size}, {factor:.1f} times its usual {usual}. "
    "`metaagent sessions report` shows which step made it grow.",
    ko="세션 상태가 평소 {usual}의 {factor:.1f}배인 {size}(으)로 커졌습니다. "
    "`metaagent sessions report`로 어느 단계에서 커졌는지 볼 수 있습니다.",
)
_SLOW = Text(
    en="{agent} took {seconds:.1f} s in step {step}; it usually takes about {usual:.1f} s ({runs} runs).",
    ko="{agent}이(가) {step} 단계에서 {seconds:.1f}초 걸렸습니다. 평소에는 약 {usual:.1f}초입니다({runs}회 기준).",
)
_FAILING = Text(
    en="{agent} fails more often than before: {failures} of its last {recent} runs, earlier {earlier:.0%}.",
    ko="{agent}의 실패가 전보다 잦습니다: 최근 {recent}회 중 {failures}회, 이전에는 {earlier:.0%}.",
)


@dataclass(frozen=True)
class Run:
    """One finished run of an agent, for its track record."""

    agent: str
    succeeded: bool
    quality: float
    seconds: float


@dataclass(frozen=True)
class TrackRecord:
    """The record of an agent in this deployment. Unknown agents get the benefit of the doubt."""

    runs: int = 0
    successes: int = 0
    quality_sum: float = 0.0
    seconds_sum: float = 0.0
    timed: int = 0
    log_sum: float = 0.0
    log_squares: float = 0.0
    recent: int = 0
    """The last runs, the newest in the lowest bit; a failure is 1."""

    @property
    def recent_failures(self) -> int:
        return self.recent.bit_count()

    @property
    def success_rate(self) -> float:
        """Laplace's rule: one imagined success and failure, so that a single run decides little."""
        return (self.successes + 1) / (self.runs + 2)

    @property
    def quality(self) -> float:
        return self.quality_sum / self.successes if self.successes else 0.0

    @property
    def seconds(self) -> float | None:
        return self.seconds_sum / self.successes if self.successes else None

    def plus(self, run: Run) -> TrackRecord:
        """Time and quality are those of successes: a failure says nothing about either."""
        done = run.succeeded
        length = log(max(run.seconds, SHORTEST_RUN)) * done
        return TrackRecord(
            runs=self.runs + 1,
            successes=self.successes + done,
            quality_sum=self.quality_sum + run.quality * done,
            seconds_sum=self.seconds_sum + run.seconds * done,
            timed=self.timed + done,
            log_sum=self.log_sum + length,
            log_squares=self.log_squares + length * length,
            recent=(self.recent * 2 + (not done)) % (1 << RECENT_RUNS),
        )


NO_RECORD = TrackRecord()
"""The record of an agent that has not run yet."""


class StateChange(TypedDict):
    """The difference between two states of one session."""

    timestamp: str
    phase_transition: Json | None
    agent_changes: list[Json]
    progress_delta: float
    new_errors: list[Json]
    completed_tasks: list[Json]
    size: int


@dataclass(frozen=True)
class Thresholds:
    """Bounds beyond which something is worth a warning; the settings under `monitor`."""

    growth_factor: float = 3.0
    growth_floor: int = 100_000
    slow_factor: float = 2.0
    slow_seconds: float = 1.0
    min_runs: int = 10
    chance: float = 0.01


class StateMonitor:
    """Holds the serializer that sizes are measured with (the saver's, for bytes as stored) and a clock for callers
    that bring no time of their own."""

    def __init__(
        self, serde: SerializerProtocol | None = None, now: Callable[[], datetime] | None = None
    ) -> None:
        self._serde = serde or _plain_serde()
        self._now = now or (lambda: datetime.now(UTC))

    def track_state_changes(self, old: object, new: object, at: str | None = None) -> StateChange:
        before, after = mapping(old), mapping(new)
        return {
            "timestamp": at if at is not None else iso(self._now()),
            "phase_transition": _transition(before, after),
            "agent_changes": _agent_changes(before, after),
            "progress_delta": _progress(after) - _progress(before),
            "new_errors": _added(rows(before.get("errors")), rows(after.get("errors")), "id"),
            "completed_tasks": _added(_completed(before), _completed(after), "task_id"),
            "size": self.size(after),
        }

    def size(self, state: object) -> int:
        """Bytes as the saver writes them: each channel by itself, before sealing."""
        return sum(self._bytes(value) for value in mapping(state).values())

    def _bytes(self, value: object) -> int:
        try:
            return len(self._serde.dumps_typed(value)[1])
        except (TypeError, ValueError, OverflowError, RecursionError):
            # It could not be stored as it is. Its text says about how large it would be.
            return len(content(value).encode("utf-8", "replace"))


@cache
def _plain_serde() -> SerializerProtocol:
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

    return JsonPlusSerializer(pickle_fallback=False, allowed_msgpack_modules=None)


def _transition(before: Mapping[str, Any], after: Mapping[str, Any]) -> Json | None:
    old, new = text(before.get("current_phase")), text(after.get("current_phase"))
    return {"from": old or None, "to": new or None} if old != new else None


def _progress(state: Mapping[str, Any]) -> float:
    return number(state.get("progress_percentage"))


def _completed(state: Mapping[str, Any]) -> list[Json]:
    return rows(mapping(state.get("execution_manager_state")).get("completed_tasks"))


def _added(before: Iterable[Json], after: Iterable[Json], key: str) -> list[Json]:
    """Find added records by key; a record without one is known by its content."""
    known = {text(record.get(key)) or content(record) for record in before}
    return [record for record in after if (text(record.get(key)) or content(record)) not in known]


def _agent_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Json]:
    old, new = mapping(before.get("agent_states")), mapping(after.get("agent_states"))
    names = [*new, *(name for name in old if name not in new)]
    changes = [_agent_change(name, old.get(name), new.get(name)) for name in names]
    return [change for change in changes if change["fields"] or change["from"] != change["to"]]


def _agent_change(name: object, old: object, new: object) -> Json:
    before, after = mapping(old), mapping(new)
    changed = [key for key in {**before, **after} if content(before.get(key)) != content(after.get(key))]
    return {
        "agent": str(name),
        "from": _run_status(old),
        "to": _run_status(new),
        "fields": sorted(map(str, changed)),
    }


def _run_status(run: object) -> str | None:
    state = mapping(run)
    if not isinstance(run, Mapping):
        return None
    if state.get("error_message") or state.get("error_type"):
        return "failed"
    return "running" if state.get("result") is None else "completed"


# --- out of the ordinary --------------------------------------------------------------------------------


def size_warning(size: int, past: Sequence[int], limits: Thresholds, language: str) -> Json | None:
    """Warn of a state that grew. `past` are the sizes at the ends of earlier turns. Three of them are the least that
    can be called usual. That a state is large whatever its past is the optimizer's to say."""
    from statistics import median  # heavy, and seldom needed

    usual = median(past) if len(past) >= 3 else 0
    if usual <= 0 or size < limits.growth_floor or size <= limits.growth_factor * usual:
        return None
    said = _GROWN.say(language, size=say_bytes(size), usual=say_bytes(int(usual)), factor=size / usual)
    return {"code": "state_grew", "key": "state_size", "size": size, "text": said}


def run_warnings(
    runs: Sequence[tuple[str, Run]], records: Mapping[str, TrackRecord], limits: Thresholds, language: str
) -> list[Json]:
    """Warn of slow and failing agents. `runs` are this turn's with their steps, `records` how their agents did before it."""
    found = [
        slow_warning(step, run, records.get(run.agent, NO_RECORD), limits, language) for step, run in runs
    ]
    for agent in sorted({run.agent for _, run in runs if not run.succeeded}):
        record = records.get(agent, NO_RECORD)
        for _, run in runs:
            record = record.plus(run) if run.agent == agent else record
        found.append(failing_warning(agent, record, limits, language))
    return [warning for warning in found if warning is not None]


def slow_warning(step: str, run: Run, past: TrackRecord, limits: Thresholds, language: str) -> Json | None:
    """Durations are skewed to the right, so their logarithms are compared: three standard deviations of a new
    value beyond the mean, and a factor and a difference that a person would notice. A spread below a fifth is
    taken as a fifth: a steady past must not make every jitter a warning."""
    if not run.succeeded or past.timed < limits.min_runs:
        return None
    mean = past.log_sum / past.timed
    variance = max(0.0, (past.log_squares - past.timed * mean * mean) / (past.timed - 1))
    bound = mean + 3 * max(0.2, sqrt(variance)) * sqrt(1 + 1 / past.timed)
    usual = exp(mean)
    noticed = run.seconds >= limits.slow_factor * usual and run.seconds - usual >= limits.slow_seconds
    if not noticed or log(run.seconds) <= bound:
        return None
    said = _SLOW.say(language, agent=run.agent, step=step, seconds=run.seconds, usual=usual, runs=past.timed)
    return {"code": "step_slow", "key": f"slow-{step}", "agent": run.agent, "text": said}


def failing_warning(agent: str, record: TrackRecord, limits: Thresholds, language: str) -> Json | None:
    """The last runs against all before them: how likely so many failures were, had nothing changed (exact
    binomial, one-sided, with Laplace's rule for the earlier rate)."""
    recent = min(record.runs, RECENT_RUNS)
    earlier_runs = record.runs - recent
    failures = record.recent_failures
    earlier_failures = record.runs - record.successes - failures
    if earlier_runs < limits.min_runs or earlier_failures < 0:
        return None
    rate = (earlier_failures + 1) / (earlier_runs + 2)
    if failures / recent <= rate or chance_of(failures, recent, rate) >= limits.chance:
        return None
    earlier = earlier_failures / earlier_runs
    said = _FAILING.say(language, agent=agent, failures=failures, recent=recent, earlier=earlier)
    return {"code": "agent_failing", "key": f"failing-{agent}", "agent": agent, "text": said}


def chance_of(hits: int, tries: int, rate: float) -> float:
    """Compute the chance of at least so many hits."""
    return sum(comb(tries, n) * rate**n * (1 - rate) ** (tries - n) for n in range(hits, tries + 1))


def say_bytes(size: int) -> str:
    value = float(size)
    for unit in ("B", "KB", "MB"):
        if value < 1000:
            return f"{value:.0f} {unit}" if unit == "B" or value >= 100 else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} GB"
