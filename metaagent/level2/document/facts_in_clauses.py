"""Facts that whole clauses tell: what was done, asked, spoken of and promised. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from metaagent.documents.templates import FieldSpec
from metaagent.level2.document.clauses import Clause
from metaagent.level2.document.said import Fact, Said, Taken, is_korean, overlaps
from metaagent.level2.document.verb_objects import REQUEST, object_before, object_behind


def done(spec: FieldSpec, said: Said, taken: Taken) -> Fact | None:
    """The object of one of the field's verbs: before a Korean verb, behind an English one."""
    if spec.type in ("date", "moment") or spec.acts:
        return None
    for clause in said.clauses if spec.verbs else ():
        if clause.denied:
            continue
        for match in any_of(spec.verbs).finditer(clause.text):
            if _STILL_TO_DO.match(clause.text, match.end()):
                continue
            fact = clear_of(taken, _object(clause, match))
            if fact is not None and not REQUEST.search(fact.text):
                return fact
    return None


def clear_of(taken: Taken, fact: Fact | None) -> Fact | None:
    """An object without what stands before it and fills another field: 한빛의원에 카르비온정 (공급을 제안)."""
    if fact is None:
        return None
    inside = [end for start, end in taken if start < fact.at[1] and fact.at[0] < end]
    if not inside:
        return fact
    rest = fact.text[max(inside) - fact.at[0] :] if max(inside) < fact.at[1] else ""
    rest = _PARTICLES.sub("", rest).strip()
    return Fact(rest, (fact.at[1] - len(rest), fact.at[1])) if len(rest) > 1 else None


_PARTICLES = re.compile(r"^(?:님)?(?:에서|에게|께서|께|에|은|는|이|가|을|를|의|와|과|도)?(?=\s)")
_STILL_TO_DO = re.compile(
    r"[가-힣]{0,2}\s?(?:예정|계획|[하드리]{0,2}기로|[할릴]\s?(?:예정|계획)|[드리하]{0,2}려고)"
)
"""Behind a verb: what it tells is to come."""


def _object(clause: Clause, match: re.Match[str]) -> Fact | None:
    found = (
        object_before(clause.text, match.start())
        if is_korean(match[0])
        else object_behind(clause.text, match.end())
    )
    if found is None:
        return None
    return Fact(found[0], (clause.start + found[1][0], clause.start + found[1][1]))


def acted(spec: FieldSpec, said: Said, taken: Taken) -> Fact | None:
    """Read what was done, each with its object: 카르비온정 설명, explained the dosing."""
    found: list[Fact] = []
    for clause in said.clauses if spec.acts else ():
        if clause.denied or clause.planned:
            continue
        fact = _act(clause, spec.acts) or _told(clause, spec.verbs)
        if fact is not None and not overlaps(fact.at, [*taken, *(each.at for each in found)]):
            found.append(fact)
    if not found:
        return None
    found.sort(key=lambda each: each.at)
    return Fact(", ".join(each.text for each in found), found[0].at, tuple(each.at for each in found))


_DID = (
    r"(?=했|하였|하고|해\s|해드|해\s?드|드렸|드리고|드리며|드리면서|드림|함(?:[\s(]|$)|하심|하며|하면서|하여|을\s?(?:했|드|하)"
    r"|를\s?(?:했|드|하|나눴|나누|주고)|,|\.|\(|\s*$|\s?진행|\s?나눔|\s?함)"
)


def _act(clause: Clause, acts: tuple[str, ...]) -> Fact | None:
    for match in _any_act(acts).finditer(clause.text):
        found = _object(clause, match)
        if found is None or REQUEST.search(found.text):
            continue
        words = (found.text, match[0]) if is_korean(match[0]) else (match[0], found.text)
        return Fact(" ".join(words), found.at)
    return None


def _told(clause: Clause, verbs: tuple[str, ...]) -> Fact | None:
    """The object of a verb that adds nothing to it: …에 대해 말씀드렸습니다."""
    match = any_of(verbs).search(clause.text) if verbs else None
    found = _object(clause, match) if match else None
    return None if found is None or REQUEST.search(found.text) else found


def asked(spec: FieldSpec, said: Said, taken: Taken) -> Fact | None:
    """A question in indirect speech: 소아도 되는지 물으심, 언제 나오냐고 하셨어요."""
    for clause in said.clauses if spec.take == "question" else ():
        found = _INDIRECT.search(clause.text)
        whole = object_before(clause.text, found.end(1)) if found else None
        if whole is not None:
            at = (clause.start + whole[1][0], clause.start + whole[1][1])
            if not overlaps(at, taken):
                return Fact(whole[0].removesuffix("고"), at)
    return None


_INDIRECT = re.compile(
    r"([가-힣](?:냐고|는지|은지|운지|한지|인지|될지|할지|을지)(?:\s?여부)?)(?:를|도|만)?"
    r"\s?(?:하셨|하셔|하심|하시|하네|하던|묻|물|여쭤|여쭈|문의|질문|궁금|확인|알고\s?싶|알려\s?달)"
)


def talked_about(spec: FieldSpec, said: Said, taken: Taken) -> Fact | None:
    """The matter of a talk: spoke with Dr. Lee about the dosing."""
    if not spec.acts:
        return None
    for clause in said.clauses:
        found = None if clause.denied else _ABOUT_EN.search(clause.text)
        if found is None:
            continue
        at = (clause.start + found.start(1), clause.start + found.end(1))
        if not overlaps(at, taken):
            return Fact(found[1].strip(), at)
    return None


_ABOUT_EN = re.compile(
    r"\b(?:talked|talking|talks|spoke|spoken|speaking|met|saw|seen|chatted|chatting|conversation|discussion|meeting|consulted)\b.{0,80}?\b(?:about|regarding|concerning)\s(.{2,80})$",
    re.IGNORECASE,
)


def planned(spec: FieldSpec, said: Said, taken: Taken) -> Fact | None:
    """Everything that was promised: 자료를 보내기로 함, I promised to send the brochure."""
    if spec.take != "plan":
        return None
    found = [
        (whole, text)
        for at, clause in enumerate(said.clauses)
        if clause.planned
        and not clause.asks
        and not clause.denied
        and not overlaps((clause.start, clause.end), taken)
        and (text := _promise((whole := _whole_plan(said, at, taken)).text))
    ]
    found = [
        (own, text)
        for own, text in found
        if not any(own.start < o.end and o.start < own.start for o, _ in found)
    ]
    if not found:
        return None
    spans = tuple((own.start, own.end) for own, _ in found)
    return Fact("; ".join(text for _, text in found), spans[0], spans=spans)


def _whole_plan(said: Said, at: int, taken: Taken) -> Clause:
    """A clause of a plan with the one before it that only leads up to it: 답변 받아서 전달하기로."""
    clause = said.clauses[at]
    before = said.clauses[at - 1] if at else clause
    leads = _LEADS.search(before.text) is not None and not _HAS_PAST.search(before.text)
    if (
        at == 0
        or not leads
        or said.text[before.end : clause.start].strip()
        or overlaps((before.start, before.end), taken)
    ):
        return clause
    return Clause(before.start, clause.end, said.text[before.start : clause.end])


_LEADS = re.compile(r"(?:[아어여해]서|하고|받고|하여)$")
_HAS_PAST = re.compile(r"만나|뵙|뵈|방문|찾아|물어|문의|질문|요청|셔서|들러")
"""Words of a clause that tells what was, and is no part of a plan."""


_PROMISE_END = re.compile(
    r"(?:하|해\s?드리|해\s?주)기로\s?(?:했|함|하|약속|합의)?[가-힣]*$"
    r"|할\s?(?:예정|계획)[가-힣]*$|\s(?:예정|계획)[가-힣]*$|(?:하|드리)겠습니다$|해야\s?[가-힣]+$"
)
_PROMISE_EN = re.compile(
    r"^.*?\b(?:promised to|promised (?:him|her|them)|promised|agreed to|plan to|planning to|need to|have to|going to"
    r"|(?:I|we) will|will|(?:I|we)'ll|owe (?=the|a|two|some)|owe (?:them|her|him)"
    r"|to (?=send|follow|prepare|check|share|arrange|bring|provide))\s*",
    re.IGNORECASE,
)


def _promise(text: str) -> str:
    """A promise as a thing to do: 자료를 메일로 송부할 예정 → 자료를 메일로 송부."""
    if re.search(r"[가-힣]", text):
        text = re.sub(r"^(?:후속\s?조치(?:로|는|:)|제가|저는|저희가|나는|소생은|추후|이후)\s*", "", text)
        text = _PROMISE_END.sub("", text)
        return re.sub(r"(?:기로|려고)\s?(?:했|함|하|합|해|약속|합의)?[가-힣]*$", "기", text).strip()
    return _PROMISE_EN.sub("", text).strip()


@lru_cache(maxsize=200)
def any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    """One pattern for all verbs of a field, the longer before the shorter."""
    korean, english = _alternatives(words)
    return re.compile(rf"(?<![가-힣])(?:{korean})|\b(?:{english})\b", re.IGNORECASE)


@lru_cache(maxsize=200)
def _any_act(words: tuple[str, ...]) -> re.Pattern[str]:
    korean, english = _alternatives(words)
    return re.compile(rf"(?:{korean}){_DID}|\b(?:{english})\b", re.IGNORECASE)


def _alternatives(words: tuple[str, ...]) -> tuple[str, str]:
    """Korean and English ones; where there are none, a pattern that nothing fits."""
    ordered = sorted(words, key=len, reverse=True)
    korean = "|".join(re.escape(each) for each in ordered if is_korean(each))
    english = "|".join(re.escape(each) for each in ordered if not is_korean(each))
    return korean or r"(?!)", english or r"(?!)"
