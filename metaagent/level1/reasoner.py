"""The deterministic reasoner: the default, and what takes over when a chat model fails."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import orjson

from metaagent.errors import Text
from metaagent.level1.analysis_state import new_analysis
from metaagent.level1.answer_layout import in_form
from metaagent.level1.citations import references
from metaagent.level1.dropped_question import LEFT
from metaagent.level1.query_analyzer import AnalysisContext, Domain, Lexicon, SemanticVocabulary, proposal
from metaagent.level1.query_analyzer import analyze as read_question
from metaagent.level1.query_analyzer.requests import small_talk
from metaagent.level1.query_analyzer.requests.optional_parts import Span, optional_names
from metaagent.level1.query_analyzer.wording import ASSUMED
from metaagent.level1.query_analyzer.words import agent_words
from metaagent.level1.query_analyzer.words.language import spoken
from metaagent.level1.query_analyzer.words.source import MAX_LENGTH
from metaagent.level1.summary import summarize
from metaagent.level1.topic_lines import topic_lines
from metaagent.ports import AnalysisInput, Json, Knowledge, User

T = TypeVar("T")

_MISSING = Text(en="Not done: {what} ({why}).", ko="하지 못한 일: {what} ({why}).")
_LEFT_OUT = Text(
    en="Left out, as you asked for it only if possible: {what} ({why}).",
    ko="가능하면 해 달라고 하신 일이라 생략했습니다: {what} ({why}).",
)
_TRIED = Text(en="{why}; tried {times} times", ko="{why}, {times}번 시도함")
_RECOVERED = Text(
    en="{agent} stepped in for {failed} ({error}).", ko="{failed} 대신 {agent}이(가) 처리했습니다({error})."
)
_ASSUMED = Text(en="Assumed: {what}.", ko="가정: {what}.")
_NOBODY = Text(
    en="I could not match your question to anything that the installed agents can do. They can: {what}.",
    ko="설치된 에이전트가 할 수 있는 일과 질문을 연결하지 못했습니다. 할 수 있는 일: {what}.",
)
_NO_AGENTS = Text(
    en="No execution agent is installed and allowed, so nothing can be done yet. `metaagent agents` says what is missing.",
    ko="설치되고 허용된 실행 에이전트가 없어 아직 할 수 있는 일이 없습니다. `metaagent agents`로 확인하세요.",
)
_NO_AGENT = Text(en="no agent for it is installed", ko="이 일을 할 에이전트가 없습니다")
_SWITCHED_OFF = Text(
    en="it is switched off here; whoever runs the installation can switch it on",
    ko="운영자가 꺼 두었습니다. 운영자에게 문의하세요",
)
_NO_INPUT = Text(
    en="there is nothing to do it with: name the figures or the document, or attach a file",
    ko="다룰 대상이 없습니다. 수치나 문서를 말씀하시거나 파일을 첨부해 주세요",
)
_NO_PARAMS = Text(
    en="the agent for it must be given parameters", ko="담당 에이전트에 매개변수를 주어야 합니다"
)
_REJECTED = Text(en="you did not approve it", ko="승인하지 않으셨습니다")
_PLAN_REJECTED = Text(
    en="The plan was rejected, so nothing of it was run.", ko="계획이 거절되어 아무것도 실행하지 않았습니다."
)
_REJECTED_WHY = Text(
    en="The plan was rejected ({why}), so nothing of it was run.",
    ko="계획이 거절되어({why}) 아무것도 실행하지 않았습니다.",
)
_FORBIDDEN = Text(en="your roles do not allow it", ko="역할에 허용되지 않은 일입니다")
_NOT_FEASIBLE = Text(en="it cannot be answered", ko="답할 수 없는 질문입니다")
_UNGATED = Text(
    en="it may only run behind a check, and nobody here can judge what it would be given",
    ko="규정 확인을 거쳐야 하는데 그 내용을 판정할 에이전트가 없습니다",
)
_REASONS = {
    "ungated": _UNGATED,
    "forbidden": _FORBIDDEN,
    "no_agent": _NO_AGENT,
    "switched_off": _SWITCHED_OFF,
    "no_input": _NO_INPUT,
    "no_params": _NO_PARAMS,
    "rejected": _REJECTED,
    "not_feasible": _NOT_FEASIBLE,
}
_NEAREST = Text(
    en="The nearest that can be answered: {start} to {end}.",
    ko="답할 수 있는 가장 가까운 기간: {start}~{end}.",
)
_MOST_TENANTS = 200
LONG = 10_000
"""Characters from which a question is read apart from the event loop."""
SUGGESTED = 0.5
"""The confidence of a chat model's suggestion where nobody has measured it: one of two."""
Known = Callable[[User], Awaitable[Knowledge]]
Topical = Callable[[AnalysisInput], Awaitable[Json | None]]


def detect_language(text: str, default: str = "en") -> str:
    """The language of a text, by the analyzer's rule."""
    return spoken(text, default)


class RuleReasoner:
    """Reads a question by the rules of its domain and the words of its data, as far as they are given.

    The domain speaks where one of its capabilities is installed; the words that plugins declare count in any case.
    """

    def __init__(
        self,
        domain: Domain | None = None,
        known: Known | None = None,
        topics: Topical | None = None,
        parts: Callable[[], frozenset[str]] | None = None,
    ) -> None:
        self._domain = domain
        self._known = known
        self._topics = topics
        self._parts = parts
        self._words: dict[int, tuple[Knowledge, SemanticVocabulary, Lexicon]] = {}

    async def analyze(self, question: str, context: AnalysisInput) -> Json:
        domain = self._domain
        if domain is None or not _speaks(domain, context.capabilities):
            return await apart_if_long(question, partial(by_words, question, context))
        reading = await apart_if_long(
            question, partial(self.read, question, await self.context(domain, context))
        )
        if self._topics is not None and reading.get("small_talk") == "help":
            return {**reading, "topics": await self._topics(replace(context, language=reading["language"]))}
        return reading

    async def context(self, domain: Domain, given: AnalysisInput) -> AnalysisContext:
        """Everything that the reading depends on, with what the asker's data contains."""
        knowledge = await self._known(given.user) if self._known else Knowledge()
        vocabulary, lexicon = self._prepared(knowledge)
        user = given.user
        # Names of parts, read where the session has something that can be changed.
        kinds = {kind for each in given.capabilities for kind in each.get("revises") or ()}
        there = any(item.get("kind") in kinds for item in given.artifacts)
        return AnalysisContext(
            now=given.now,
            domain=domain,
            timezone=given.timezone,
            user={
                "user_id": user.user_id,
                "company_id": user.company_id,
                "roles": list(user.roles),
                **({"language": given.language} if given.language else {}),
            },
            lexicon=lexicon,
            vocabulary=vocabulary,
            capabilities=given.capabilities,
            out_of_reach=frozenset(
                item["name"]
                for item in given.capabilities
                if (knowledge.absent or not knowledge.reachable) and "db" in item.get("needs", ())
            ),
            previous=given.previous,
            answers=given.answers,
            artifacts=given.artifacts,
            parts=self._parts() if self._parts is not None and there else frozenset(),
            coverage=knowledge.coverage,
            hidden=tuple(knowledge.hidden),
            absent=knowledge.absent,
            memories=given.memories,
            proposed=given.proposed,
            language=given.language,
        )

    def _prepared(self, knowledge: Knowledge) -> tuple[SemanticVocabulary, Lexicon]:
        """Made once for each state of the data: the phrase book behind them is what costs time."""
        held = self._words.get(id(knowledge))
        if held is None:
            if len(self._words) >= _MOST_TENANTS:
                self._words.clear()
            held = self._words[id(knowledge)] = (knowledge, *_words_of(knowledge))
        return held[1], held[2]

    def read(self, question: str, context: AnalysisContext) -> Json:
        reading = read_question(question, context)
        feasible = reading["feasibility_check"]
        possible = feasible["data_available"] and feasible["permission_granted"]
        search = context.domain.intent("search")
        # Documents can be searched whatever the data has.
        apart = {*feasible["missing"], *(search.capabilities if search else ())}
        blocked = [] if possible else [n for n in reading["required_capabilities"] if n not in apart]
        return {**reading, "infeasible_capabilities": blocked}

    async def offers(self, context: AnalysisInput) -> Json:
        """Name the intents and entities that a chat model may suggest."""
        domain = self._domain
        if domain is None or not _speaks(domain, context.capabilities):
            safe = _without_side_effects(context.capabilities)
            return {"intents": {item["name"]: _offer(item, "en") for item in safe}}
        return proposal.offers(await self.context(domain, context))

    async def objections(self, question: str, context: AnalysisInput) -> list[str]:
        """Name every problem of the suggestion in `context`."""
        proposed, domain = context.proposed or {}, self._domain
        if domain is None or not _speaks(domain, context.capabilities):
            return _objections(question, context)
        alone = replace(await self.context(domain, context), proposed=None)
        return proposal.objections(question, alone, proposed, read_question(question, alone))

    async def respond(self, facts: Json) -> str:
        language = facts["language"]
        if facts.get("small_talk"):
            return _small_talk(facts)
        done = [result for result in facts["results"] if result["status"] == "completed"]
        parts = [
            *(facts.get("doubts") or ()),
            *in_form(done, (facts.get("preferences") or {}).get("form"), language),
        ]
        parts += references(facts.get("citations") or (), "\n".join(parts), language)
        parts += [
            _RECOVERED.say(
                language,
                agent=r["agent"],
                failed=lost["agent"],
                error=lost["error"],
            )
            for r in facts["results"]
            for lost in (r.get("recovered_from"), r.get("instead_of"))
            if lost is not None
        ]
        undone = [r for r in facts["results"] if r["status"] != "completed"]
        parts += [r["error"] for r in undone if r.get("error_type") == LEFT]
        parts += [
            _undone_text(r).say(language, what=self._undone(r, language), why=_reason(r, language))
            for r in undone
            if r.get("error_type") != LEFT
        ]
        parts += _impossible(facts)
        parts += [
            _undone_text(unmet).say(
                language,
                what=self._title(unmet["capability"], language),
                why=_REASONS[unmet["reason"]].say(language),
            )
            for unmet in facts["unmet"]
            if unmet["reason"] in _REASONS and unmet["reason"] != "not_feasible"
        ]
        parts += _rejected(facts["unmet"], language)
        parts += [problem["text"] for problem in facts["problems"]]
        parts += [_ASSUMED.say(language, what=assumption.rstrip(".")) for assumption in facts["assumptions"]]
        parts += [facts.get("earlier", ""), *facts["warnings"]]
        return "\n".join(part for part in parts if part) or _nothing(facts)

    async def summarize(self, previous: str, messages: Sequence[Any], language: str, limit: int) -> str:
        return summarize(previous, messages, language, limit)

    def _undone(self, result: Mapping[str, Any], language: str) -> str:
        named = self._title(str(result.get("capability") or ""), language)
        own = result["agent"] or result["step_id"]
        return named if named and named != result.get("capability") else str(own)

    def _title(self, capability: str, language: str) -> str:
        named = self._domain.capabilities if self._domain else ()
        title = next((item.get("title") for item in named if item["name"] == capability), None)
        return str(title[language]) if title else capability


async def apart_if_long(question: str, read: Callable[[], T]) -> T:
    """Read a long question in a thread: one of bad shape must not stop what others are doing."""
    return read() if len(question) <= LONG else await asyncio.to_thread(read)


_known_words: dict[bytes, tuple[SemanticVocabulary, Lexicon]] = {}


def _words_of(knowledge: Knowledge) -> tuple[SemanticVocabulary, Lexicon]:
    """Give equal words as the same objects: new rows of data seldom bring new names, and the phrase book can stay."""
    said = orjson.dumps([knowledge.vocabulary, knowledge.names], default=str, option=orjson.OPT_NON_STR_KEYS)
    key = hashlib.blake2b(said).digest()
    if key not in _known_words:
        if len(_known_words) >= _MOST_TENANTS:
            _known_words.clear()
        _known_words[key] = SemanticVocabulary.of(knowledge.vocabulary), Lexicon.of(knowledge.names)
    return _known_words[key]


def _speaks(domain: Domain, capabilities: tuple[Json, ...]) -> bool:
    served = {name for intent in domain.intents for name in intent.capabilities}
    return any(item["name"] in served for item in capabilities)


def by_words(question: str, context: AnalysisInput) -> Json:
    """Read a question without a domain: find the capabilities that have a word in it."""
    folded = " ".join(question.casefold().split())
    found: dict[str, tuple[float, str, str]] = {}
    places: dict[str, list[Span]] = {}
    for capability in context.capabilities:
        words = [w.casefold() for language in ("ko", "en") for w in capability["words"][language]]
        hits = [word for word in words if agent_words.places(word, folded)]
        if hits:
            best = max(hits, key=len)
            known = found.get(capability["name"], (0.0, "", ""))
            found[capability["name"]] = max(known, (certainty(best, folded), best, capability["agent"]))
            spans = (span for word in hits for span in agent_words.places(word, folded[:MAX_LENGTH]))
            places.setdefault(capability["name"], []).extend(spans)
    reasons = dict.fromkeys(found, "word")
    language = context.language or detect_language(question)
    assumptions: list[str] = []
    # Where the words name something, a model adds nothing: it could widen what was asked for.
    for name, quote, agent in () if found else tuple(_suggested(folded, context)):
        found[name], reasons[name] = (SUGGESTED, quote, agent), "model"
        places[name] = [match.span() for match in re.finditer(re.escape(quote), folded[:MAX_LENGTH])]
        assumptions.append(ASSUMED["model"].say(language, text=quote, name=name))
    optional = optional_names(folded[:MAX_LENGTH], places)
    ranked = sorted(found.items(), key=lambda item: (-item[1][0], item[0]))
    analysis = new_analysis(question, context, language)
    available = {"resource_status": "available" if ranked else "no_agent"}
    return {
        **analysis,
        "parsed_intents": [
            {"intent": name, "confidence": hit[0], **({"optional": True} if name in optional else {})}
            for name, hit in ranked
        ],
        "required_capabilities": [name for name, _ in ranked],
        "optional_capabilities": [name for name, _ in ranked if name in optional],
        "complexity_score": round(min(1.0, len(ranked) / 5), 2),
        "suggested_agents": list(dict.fromkeys(hit[2] for _, hit in ranked)),
        "feasibility_check": {**analysis["feasibility_check"], **available},
        "explanations": [
            {"conclusion": name, "reason": reasons[name], "evidence": hit[1]} for name, hit in ranked
        ],
        "assumptions": assumptions,
    }


def _without_side_effects(capabilities: Sequence[Json]) -> list[Json]:
    """Nobody but the person brings in what changes something outside."""
    outside = {item["name"] for item in capabilities if item.get("side_effects")}
    return [item for item in capabilities if item["name"] not in outside]


def _suggested(folded: str, context: AnalysisInput) -> Iterator[tuple[str, str, str]]:
    """Find the suggestions of a chat model that hold: an installed capability, with words that are in the question."""
    agents = {item["name"]: item["agent"] for item in _without_side_effects(context.capabilities)}
    for item in (context.proposed or {}).get("intents") or ():
        quote = " ".join(str(item.get("quote") or "").casefold().split())
        if item.get("intent") in agents and quote and quote in folded:
            yield item["intent"], quote, agents[item["intent"]]


def _objections(question: str, context: AnalysisInput) -> list[str]:
    proposed = context.proposed or {}
    held = {name for name, _, _ in _suggested(" ".join(question.casefold().split()), context)}
    wrong = [
        str(item.get("intent")) for item in proposed.get("intents") or () if item.get("intent") not in held
    ]
    return [
        *(f"there is no intent {name!r}, or its quote is not in the question" for name in wrong),
        *(["no entity can be suggested here"] if proposed.get("entities") else []),
    ]


def _undone_text(part: Mapping[str, Any]) -> Text:
    return _LEFT_OUT if part.get("optional") else _MISSING


def _reason(result: Mapping[str, Any], language: str) -> str:
    why, times = str(result["error"]).rstrip("."), int(result.get("attempts") or 0)
    return _TRIED.say(language, why=why, times=times) if times > 1 else why


def _rejected(unmet: Sequence[Mapping[str, Any]], language: str) -> list[str]:
    """Say once that the whole plan was rejected, perhaps by another person than the one who asked."""
    for each in unmet:
        if each["reason"] == "plan_rejected":
            said = _REJECTED_WHY if each.get("why") else _PLAN_REJECTED
            return [said.say(language, why=each.get("why"))]
    return []


def _impossible(facts: Mapping[str, Any]) -> list[str]:
    """Say why a question cannot be answered, and the nearest one that can."""
    if not any(unmet["reason"] == "not_feasible" for unmet in facts["unmet"]):
        return []
    feasible = facts["feasibility"]
    missing = set(feasible.get("missing") or ())
    said = [
        reason
        for reason in feasible.get("reasons") or ()
        if not any(f"'{name}'" in reason for name in missing)
    ]
    near = (feasible.get("nearest") or {}).get("period")
    return [*said, *([_NEAREST.say(facts["language"], **near)] if near else [])]


def certainty(word: str, text: str) -> float:
    """A longer word that fills more of the question says more: from 0.6 for a fragment to 1 for the whole."""
    return round(0.6 + 0.4 * min(1.0, len(word) / max(len(text), 1)), 3)


_CAN = Text(en="I can: {what}.", ko="할 수 있는 일: {what}.")


def _small_talk(facts: Mapping[str, Any]) -> str:
    """A greeting, thanks or a call for help, with what the installed agents can do."""
    language = facts["language"]
    offers = _offered(facts)
    said = small_talk.REPLIES[facts["small_talk"]].say(language)
    if facts["small_talk"] in ("undo", "declined", "parting"):
        return said
    if facts.get("topics"):
        return "\n".join([said, *topic_lines(facts["topics"], language)])
    return f"{said} {_CAN.say(language, what=', '.join(offers))}" if offers else said


def _nothing(facts: Mapping[str, Any]) -> str:
    offers = _offered(facts)
    if not offers:
        return _NO_AGENTS.say(facts["language"])
    return _NOBODY.say(facts["language"], what=", ".join(offers))


def _offered(facts: Mapping[str, Any]) -> list[str]:
    """The work of each agent as it describes it; of one that does not, a word by which people ask for it."""
    found: list[str] = []
    for capability in facts["capabilities"]:
        described = str((capability.get("description") or {}).get(facts["language"]) or "").rstrip(".")
        plain = described in ("", capability["agent"])
        said = _offer(capability, facts["language"]) if plain else described
        found.append(said[:1].lower() + said[1:] if said[1:2].islower() else said)
    return list(dict.fromkeys(found))


def _offer(capability: Mapping[str, Any], language: str) -> str:
    words = capability["words"].get(language) or capability["words"].get("en") or [capability["name"]]
    return str(words[0])
