"""A chat model helps the rules: it suggests what they missed in a question, and words what the agents found.

What it returns is untrusted. A suggestion is JSON of a closed schema, checked against what exists; wrong ones are sent
back once and then left out, with a warning. A wording may hold no number, link or mark that the findings do not hold.
Steps, agents, tables and recipients follow from the checked analysis alone: the model has no words for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any, Literal, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from metaagent.errors import ConfigInvalid, ModelError, Text
from metaagent.language.number_check import Findings, release_point
from metaagent.level1.prompts import prompt
from metaagent.level1.summary import summarize
from metaagent.models import Exchange, Structured, TurnModel
from metaagent.ports import AnalysisInput, Json, Teachable
from metaagent.protection.escaping import defang
from metaagent.protection.redaction import Finding, find
from metaagent.values import local_day

READ = 4000
"""Characters of a question that are read, as by the rules."""
LONGEST_FINDINGS = 20_000
LONGEST_WORDING = 8_000
PIECE = 24
"""Characters that a piece of a streamed answer has at least: an event each would be too many for single words."""

_RULES_READ = Text(
    en="The chat model could not help to understand the question: {why} The rules did it alone.",
    ko="채팅 모델이 질문 이해를 돕지 못했습니다: {why} 규칙만으로 이해했습니다.",
)
_DROPPED = Text(
    en="{count} suggestions of the chat model did not hold and were left out.",
    ko="채팅 모델의 제안 {count}건은 맞지 않아 쓰지 않았습니다.",
)
_RULES_WORDED = Text(
    en="The chat model could not word the answer: {why} The rules did.",
    ko="채팅 모델이 답을 쓰지 못했습니다: {why} 규칙이 대신 썼습니다.",
)
_INVENTED = Text(
    en="its text had numbers, links or marks that are not in the findings.",
    ko="결과에 없는 숫자, 링크 또는 표시가 들어 있었습니다.",
)
_EMPTY = Text(en="its text was empty or too long.", ko="글이 비었거나 너무 길었습니다.")

Warn = Callable[[str, str], None]
"""Takes a code and a text in the person's language."""
Emit = Callable[[int, str, bool], None]
"""Takes the number of a piece of the answer, the piece, and whether the answer begins anew with it."""


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SuggestedIntent(_Closed):
    intent: str
    quote: str


class SuggestedEntity(_Closed):
    type: Literal[
        "period",
        "metric",
        "dimension",
        "location",
        "person",
        "organisation",
        "product",
        "document_type",
        "output_form",
    ]
    quote: str
    name: str | None
    start: str | None
    end: str | None


class Suggestion(_Closed):
    """The parts of the question that the rules missed."""

    intents: list[SuggestedIntent]
    entities: list[SuggestedEntity]


class ChatModelReasoner:
    """One turn's reasoner: the rules, and a model that may spend what the turn has left."""

    def __init__(self, rules: Teachable, model: TurnModel, *, warn: Warn, emit: Emit) -> None:
        self._rules = rules
        self._model = model
        self._warn = warn
        self._emit = emit

    async def analyze(self, question: str, context: AnalysisInput) -> Json:
        alone = await self._rules.analyze(question, context)
        language = str(alone.get("language") or context.language or "en")
        try:
            proposed = await self._suggestion(question, context, alone, language)
        except (ConfigInvalid, ModelError) as error:
            self._warn(error.code, _RULES_READ.say(language, why=error.say(language)))
            return alone
        if not proposed["intents"] and not proposed["entities"]:
            return alone
        return await self._rules.analyze(question, replace(context, proposed=proposed))

    async def respond(self, facts: Json) -> str:
        plain = await self._rules.respond(facts)
        # Summaries that cite are said as they are: no quote bears out what a model makes of them.
        done = [
            r["summary"]
            for r in facts["results"]
            if r["status"] == "completed" and r["summary"] and not r.get("citations")
        ]
        wants_form = (facts.get("preferences") or {}).get("form")
        if not done or wants_form or sum(map(len, done)) > LONGEST_FINDINGS:
            return plain
        exchange = self._model.exchange()
        # Numbers are marked in the redacted texts: a mark inside a telephone number would hide it from the redactor.
        wording = _Wording(Findings.of(exchange.clean(done)), exchange.restore, self._emit)
        language = str(facts["language"])
        wording.begin(facts.get("doubts") or ())
        try:
            problem = await self._word(exchange, wording, facts)
        except (ConfigInvalid, ModelError) as error:
            problem = error.say(language)
            code = error.code
        else:
            code = "model_wording_refused"
            problem = problem.say(language) if problem else ""
        if problem:
            self._warn(code, _RULES_WORDED.say(language, why=problem))
            wording.give_up(plain)
            return plain
        return wording.ended(await self._notes(facts))

    async def summarize(self, previous: str, messages: Sequence[Any], language: str, limit: int) -> str:
        """Sum up by the rules: a running summary that a model words anew each time drifts."""
        return summarize(previous, messages, language, limit)

    # --- understanding ----------------------------------------------------------------------------------

    async def _suggestion(self, question: str, context: AnalysisInput, alone: Json, language: str) -> Json:
        exchange = self._model.exchange()
        before: Mapping[str, Any] = context.previous or {}
        messages = prompt("understand").filled(
            question=_beginning(exchange, question, READ),
            setting={
                "today": local_day(context.now, context.timezone),
                "question_before": _beginning(exchange, str(before.get("raw_query") or ""), 500) or None,
            },
            **exchange.clean(
                {
                    "reading": _gist(alone, find(question[: 4 * READ])),
                    "offers": await self._rules.offers(context),
                }
            ),
        )
        schema = Suggestion.model_json_schema()
        reply = await exchange.structured(messages, schema)
        given, wrong = await self._judged(reply, question, context)
        if wrong:
            shown = exchange.clean({"given": reply.text[:READ], "wrong": wrong[:20]})
            instruction, message = (text for _, text in prompt("correct").filled(**shown))
            again = [*messages, ("human", f"{instruction}\n\n{message}")]
            given, wrong = await self._judged(await exchange.structured(again, schema), question, context)
        if wrong:
            self._warn("model_output_dropped", _DROPPED.say(language, count=len(wrong)))
        return given

    async def _judged(
        self, reply: Structured, question: str, context: AnalysisInput
    ) -> tuple[Json, list[str]]:
        """The suggestion as plain data, and what is wrong with it. Analysis leaves out what does not hold."""
        nothing: Json = {"intents": [], "entities": []}
        if reply.problem:
            return nothing, [reply.problem]
        try:
            proposed = Suggestion.model_validate(reply.data).model_dump()
        except (ValidationError, RecursionError) as error:
            return nothing, _schema_problems(error)
        return proposed, await self._rules.objections(question, replace(context, proposed=proposed))

    # --- wording ----------------------------------------------------------------------------------------

    async def _word(self, exchange: Exchange, wording: _Wording, facts: Json) -> Text | None:
        asked = {
            "language": facts["language"],
            "question": _beginning(exchange, str(facts["question"]), READ),
        }
        messages = prompt("word").filled(asked=asked, findings=list(wording.findings.texts))
        async with aclosing(cast("Any", exchange.stream(messages))) as pieces:
            async for piece in pieces:
                if not wording.add(piece):
                    return _INVENTED
                if wording.size > LONGEST_WORDING:
                    return _EMPTY
        if not wording.finish():
            return _INVENTED
        return None if wording.size else _EMPTY

    async def _notes(self, facts: Json) -> str:
        """Add what is missing, assumed or warned of, as the rules say it, whatever the model wrote."""
        cited = [r for r in facts["results"] if r["status"] == "completed" and r.get("citations")]
        results = [
            {**r, "summary": ""} if r["status"] == "completed" and r not in cited else r
            for r in facts["results"]
        ]
        open_ends = any(r["status"] != "completed" or "recovered_from" in r for r in results)
        said = ("unmet", "problems", "assumptions", "earlier", "warnings")
        if cited or open_ends or any(facts.get(key) for key in said):
            return await self._rules.respond({**facts, "results": results, "doubts": []})
        return ""


class _Wording:
    """The model's text as it comes: each piece is judged before anyone sees it."""

    def __init__(self, findings: Findings, restore: Callable[[str], str], emit: Emit) -> None:
        self.findings = findings
        self.size = 0
        self._restore = restore
        self._emit = emit
        self._raw = ""
        self._judged = 0
        self._shown: list[str] = []
        self._number = 0

    def add(self, piece: str) -> bool:
        """False if the text holds something of the model's own."""
        self._raw += piece
        self.size = len(self._raw.strip())
        point = release_point(self._raw[self._judged :])
        return point < PIECE or self._release(self._judged + point)

    def finish(self) -> bool:
        return self._release(len(self._raw)) and not self._strangers(self._raw)

    def give_up(self, plain: str) -> None:
        """Tell readers who have seen a piece to forget it."""
        if self._number:
            self._emit(self._number, plain, True)

    def begin(self, doubts: Sequence[str]) -> None:
        """Say first what is not certain, as the rules say it, whatever the model writes."""
        self._say("".join(f"{doubt}\n" for doubt in doubts))

    def ended(self, notes: str) -> str:
        if notes:
            self._say(f"\n{notes}")
        return "".join(self._shown).strip()

    def _release(self, end: int) -> bool:
        piece = self._raw[self._judged : end]
        if self._strangers(piece):
            return False
        self._judged = end
        self._say(self._restore(self.findings.filled(defang(piece))))
        return True

    def _say(self, text: str) -> None:
        if text:
            self._emit(self._number, text, self._number == 0)
            self._number += 1
            self._shown.append(text)

    def _strangers(self, text: str) -> list[str]:
        return self.findings.strangers(without_stand_ins(text, self._restore))


def without_stand_ins(text: str, restore: Callable[[str], str]) -> str:
    """Stand-ins that stand for something are no numbers; invented ones are what they look like."""
    parts = text.split("[")
    kept = parts[:1]
    for part in parts[1:]:
        inner, closed, rest = part.partition("]")
        token = f"[{inner}]"
        known = closed and restore(token) != token
        kept.append(f" {rest}" if known else f"[{part}")
    return "".join(kept)


def _beginning(exchange: Exchange, text: str, most: int) -> str:
    """The redacted text up to so many characters. Cut after redaction, for half a number would not be recognised; what is
    far behind the cut is not even read, and what may be half of something at that point is left out."""
    read = text[: 4 * most]
    clean = exchange.clean(read)
    return clean[:most] if len(read) == len(text) else clean[: max(0, min(most, len(clean) - 500))]


def _gist(reading: Mapping[str, Any], hidden: Sequence[Finding]) -> Json:
    """The part of the rules' reading from which a model sees what is missing. Words inside personal data stay here:
    alone, a piece of a number looks like any other."""
    return {
        "intents": [item["intent"] for item in reading.get("parsed_intents") or ()],
        "entities": [
            {"type": item["type"], "quote": item["value"], "means": item["normalized"]}
            for item in reading.get("extracted_entities") or ()
            if not any(item["span"][0] < each.end and each.start < item["span"][1] for each in hidden)
        ],
        "words_not_read": [
            word
            for word in reading.get("unread") or ()
            if not any(word.casefold() in each.value.casefold() for each in hidden)
        ],
    }


def _schema_problems(error: ValidationError | RecursionError) -> list[str]:
    if isinstance(error, RecursionError):
        return ["it is nested too deeply"]
    found = error.errors(include_input=False, include_url=False)[:20]
    return [f"{'.'.join(map(str, item['loc']))[:200]}: {item['msg']}" for item in found]
