"""The rest of a request: further items of an enumeration, and clauses that no field holds yet. Pure.

Nothing of a request may be lost in silence. An item beside the value of a field belongs to that value ("the interval, and what to
tell patients"); a clause of which nothing stands in any field goes to the field that takes the rest (`rest` of the template), and
what cannot go there either is named in the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from metaagent.documents.templates import FieldSpec, Template
from metaagent.language.patterns import regex
from metaagent.level2.document.clauses import Clause, Range
from metaagent.level2.document.facts import about, facts_of
from metaagent.level2.document.note_style import stated
from metaagent.level2.document.said import Fact, Said, overlaps
from metaagent.level2.document.verb_objects import REQUEST

_WORD = regex(r"[^\s,.;:!?()\[\]'\"“”‘’•·/|–—-]+")
_GLUE = regex(
    r"(?:제가|저는|저희|나는|내가|우리|오늘|어제|그제|그저께|오전|오후|아침|저녁|점심|잠깐|잠시|다시|또|그리고|그래서|그러니까|근데|좀|건|참|아|일단|먼저|지금|방금"
    r"|함께|같이|혼자|직접|내용|관련|대해|대해서|위해|통해|것|거|때|중|후|전|뒤)(?:은|는|이|가|을|를|에|도|로|으로|만|의)?"
    r"|(?:방문|면담|미팅|만남|만나|만났|뵙|뵀|뵈|봤|보고|갔|가서|갔다|다녀|들러|들렀|들름|왔|와서|찾아|찾아뵙|진행|있었|하였|했|함)\S{0,6}"
    r"|\S{0,4}(?:원장|교수|과장|부장|박사|약사|실장|팀장|선생|간호사|센터장)님?(?:은|는|이|가|을|를|께|께서|과|와|이랑|하고|만|도|에게|한테)?"
    r"|i|we|he|she|they|it|you|me|us|him|her|them|my|our|his|their|its|this|that|there|the|a|an|of|on|at|in|to|for|from|by|with|and|or|but|so"
    r"|should|must|can|could|please|was|is|were|are|be|been|had|has|have|did|do|will|would|as|about|also|then|just|one|who|where|which"
    r"|went|visited|visit|met|saw|called|stopped|spoke|talked|dropped|came|come|go|back|see|seen|meeting|today|yesterday|morning|afternoon"
    r"|last|next|week|again|quick|please|thanks|hi|hello|dr|prof",
    re.IGNORECASE,
)
"""Words that tell nothing which a document would have to hold: who, where and when are fields, and going there is the visit."""
_PRONOUN = regex(
    r"(?:and\s|but\s)?(?:i|we|he|she|they|it|you|there)(?:'\w+)?\b|(?:and\s|but\s)?(?:is|was|will|has|had)\b",
    re.IGNORECASE,
)
_FINITE = regex(
    r"\b(?:is|are|was|were|has|had|will|would|can|could|should|asked|wants?|wanted|said|told|came|cost (?:us|me|\d|KRW)"
    r"|paid|left|gave|met|saw|went|needs?|promised|agreed|complained|mentioned|expects?|likes?|thinks?|took)\b",
    re.IGNORECASE,
)
_OPEN_QUESTION = regex(r"^(?:and\s)?(?:what|how|why|whether|when|which|where)\b", re.IGNORECASE)
_OTHER_START = regex(
    r"^(?:and\s)?(?:at|on|in|with|for|to|from|by|next|before|after|until|then|so|because|please|thanks)\b",
    re.IGNORECASE,
)
_BETWEEN = regex(r"\s?(?:,|;|/)?\s?(?:and\s|as well as\s|plus\s|및\s|그리고\s)?", re.IGNORECASE)
_NOUNS_KO = regex(r"(?:[가-힣A-Za-z0-9·%~+-]+\s){0,6}[가-힣A-Za-z0-9·%+-]+")
_NO_NOUN_KO = regex(
    r"(?:은|는|을|를|에|에서|에게|께|께서|으로|다|요|음|함|고|며|서|니|면|지만|는데|줘|까지|부터|이랑|하고|님)$(?<!재고)(?<!광고)(?<!보고)(?<!신고)(?<!도서)(?<!주의서)(?<!설명서)(?<!임상)"
)
_NAME_PARTICLE = regex(
    r"^(?:님)?(?:께서|에게|한테|이랑|랑|하고|에서|까지|부터|께|과|와|에|은|는|이|가|을|를|의|도|만|로|으로)?(?=[\s,]|$)"
)
_TITLE_OF = regex(
    r"^(?:the\s|a\s|an\s)?(?:head|chief|chair|deputy|resident|senior|lead|attending|consultant)\b|(?:부서|과|팀|실)$",
    re.IGNORECASE,
)
"""Position of somebody, behind their name: head of cardiology."""
LEAST_BESIDE = 2
"""Words with content that a clause has beside the value of a field, so that they are told, too."""
LEAST_NAMED = 3
"""Such words that are named in the answer where no field takes them."""


@dataclass(frozen=True)
class Left:
    """Words of a clause that stand in no field."""

    clause: Clause
    text: str
    whole: bool
    """Nothing of the clause stands in a field."""

    @property
    def matters(self) -> bool:
        """Say whether so much is left that it is named where no field takes it."""
        return self.whole or _content(self.text) >= LEAST_NAMED


def listed_facts(template: Template, said: Said) -> dict[str, Fact]:
    """The facts of a request, each with the items that are listed beside it."""
    said, found = about(template, said), facts_of(template, said)
    made = dict(found)
    for name, fact in found.items():
        if not _takes_items(template.fields[name]) or fact.shared:
            continue
        blocked = [at for other, each in made.items() if other != name for at in _spans(each)]
        blocked += [at for at in said.known if at not in (*said.products, *said.counts)]
        made[name] = _listed_before(said, _listed_behind(said, fact, blocked), blocked)
    return made


def _takes_items(spec: FieldSpec) -> bool:
    free = (
        spec.type in ("text", "list")
        and not spec.titles
        and spec.take not in ("place", "organisation", "product")
    )
    return free and bool(spec.verbs or spec.acts or spec.rest)


def _spans(fact: Fact) -> tuple[Range, ...]:
    return fact.spans or (fact.at,)


def _listed_behind(said: Said, fact: Fact, blocked: Sequence[Range]) -> Fact:
    """English items behind the object of a verb: the protocol, the monitoring interval, and what to tell patients."""
    for clause in said.clauses:
        end = max(stop for _, stop in _spans(fact))
        between = said.text[end : clause.start]
        if clause.start < end or not between.strip() or not _BETWEEN.fullmatch(between):
            continue
        if overlaps((clause.start, clause.end), blocked) or not _is_item_en(clause):
            break
        joint = re.sub(r"\s+", " ", between)
        fact = Fact(
            f"{fact.text}{joint}{clause.text}",
            fact.at,
            (*_spans(fact), (clause.start, clause.end)),
            fact.shared,
        )
    return fact


def _is_item_en(clause: Clause) -> bool:
    text = clause.text
    if re.search(r"[가-힣]", text) or clause.planned or clause.denied or clause.asks or clause.courteous:
        return False
    if _PRONOUN.match(text) or _OTHER_START.match(text) or REQUEST.search(text) or not _content(text):
        return False
    return _OPEN_QUESTION.match(text) is not None or not (
        _FINITE.search(text) or re.search(r"[:\d]|^[A-Z]\w+\s[A-Z]", text)
    )


def _listed_before(said: Said, fact: Fact, blocked: Sequence[Range]) -> Fact:
    """Korean items before the one that the verb follows: 복용 편의성, 신장애 환자 용량을 얘기했고."""
    first = min(start for start, _ in _spans(fact))
    for clause in reversed(said.clauses):
        between = said.text[clause.end : first]
        if clause.end > first or not re.fullmatch(r",\s*", between):
            continue
        inside = [stop for start, stop in blocked if start < clause.end and clause.start < stop]
        text = clause.text if not inside else said.text[max(inside) : clause.end]
        text = text if not inside else text[_particle_end(text) :].strip()
        if not _is_item_ko(clause, text):
            break
        start = clause.end - len(text)
        fact = Fact(
            f"{text}, {fact.text}", (start, fact.at[1]), ((start, clause.end), *_spans(fact)), fact.shared
        )
        first = start
        if inside:
            break
    return fact


def _particle_end(text: str) -> int:
    found = _NAME_PARTICLE.match(text)
    return found.end() if found else 0


def _is_item_ko(clause: Clause, text: str) -> bool:
    if clause.planned or clause.denied or clause.asks or clause.courteous or REQUEST.search(text):
        return False
    return (
        len(text) > 1
        and re.search(r"[가-힣]", text) is not None
        and _NOUNS_KO.fullmatch(text) is not None
        and not any(map(_NO_NOUN_KO.search, text.split()))
        and _GLUE.fullmatch(text) is None
    )


def left_over(said: Said, covered: Sequence[Range], names: Sequence[Range] = ()) -> list[Left]:
    """The clauses with words that stand in no field; those that only ask for the document or greet are none. Names may stand in
    a field and in what is told of them."""
    return [left for clause in said.clauses for left in _left_of(said, clause, covered, names)]


def _left_of(said: Said, clause: Clause, covered: Sequence[Range], names: Sequence[Range]) -> Iterator[Left]:
    if clause.asks or clause.courteous or REQUEST.search(clause.text) or _TITLE_OF.search(clause.text):
        return
    if _REASON.search(clause.text) and _next_is_denied(said, clause):
        return
    inside = sorted(at for at in covered if at[0] < clause.end and clause.start < at[1])
    pieces = list(_between(said.text, clause, inside))
    shared = [at for at in (*said.products, *names) if at[0] < clause.end and clause.start < at[1]]
    told = [
        text
        for text in pieces
        if _content(_without(text, said, shared), said.field_words) >= (LEAST_BESIDE if inside else 1)
    ]
    if told and len("".join(told)) > 3:
        yield Left(clause, _neat(max(told, key=len) if inside else clause.text), not inside)


_REASON = regex(r"(?:이라|라서|여서|어서|아서|느라|으니|니까|이셔서|셔서)$")


def _next_is_denied(said: Said, clause: Clause) -> bool:
    """Say whether a clause only tells why something was not: 회의 중이라 못 뵙고."""
    later = next((each for each in said.clauses if each.start >= clause.end), None)
    return later is not None and later.denied


def _between(text: str, clause: Clause, inside: Sequence[Range]) -> Iterator[str]:
    """The stretches of a clause beside what stands in fields; a particle or a title behind a name goes with the name."""
    start = clause.start
    for begin, end in inside:
        if begin > start:
            yield text[start:begin]
        start = max(start, end)
    rest = text[start : clause.end]
    yield rest[_particle_end(rest) :] if inside else rest


def _without(text: str, said: Said, names: Sequence[Range]) -> str:
    """The words without names, which say nothing by themselves."""
    for start, end in names:
        text = text.replace(said.text[start:end], " ")
    return text


def _content(text: str, names: frozenset[str] = frozenset()) -> int:
    """The number of words that tell something; the name of a field says nothing by itself."""
    words = [word[0] for word in _WORD.finditer(text)]
    return sum(_GLUE.fullmatch(word) is None and word.lower() not in names for word in words)


def _neat(text: str) -> str:
    return re.sub(
        r"^(?:and|but|so|also|then|그리고|그런데|근데|또)\s+",
        "",
        text.strip(" ,.;:!?-–—\n\t"),
        flags=re.IGNORECASE,
    )


def with_rest(
    template: Template,
    said: Said,
    found: Mapping[str, Fact],
    covered: Sequence[Range],
    apart: Sequence[Range] = (),
) -> dict[str, Fact]:
    """Clauses of which nothing is told yet, for the field that takes the rest; one that takes only the first where it has none.
    A clause with a stretch of `apart` is for another document."""
    name = next((each for each, spec in template.fields.items() if spec.rest), None)
    if name is None:
        return {}
    said = about(template, said)
    spec, own = template.fields[name], found.get(name)
    names = [fact.at for fact in found.values() if fact.shared]
    free = [each for each in left_over(said, covered, names) if _fits(each, spec)]
    free = [each for each in free if not overlaps((each.clause.start, each.clause.end), apart)]
    if spec.rest == "first":
        free = [each for each in free if each.whole][:1] if own is None else []
    if not free:
        return {}
    told = [(each.clause.start, stated(each.text)) for each in free]
    told += [(own.at[0], own.text)] if own is not None else []
    spans = (*(_spans(own) if own else ()), *((each.clause.start, each.clause.end) for each in free))
    text = "; ".join(text for _, text in sorted(told))
    return {name: replace(own or Fact(text, spans[0]), text=text, spans=spans)}


def _fits(left: Left, spec: FieldSpec) -> bool:
    clause = left.clause
    reported = (
        re.search(r"(?:다고|라고|다는|라는)\s|\b(?:she|he|they)\b", clause.text, re.IGNORECASE) is not None
    )
    denied = clause.denied and not reported
    return not (denied or clause.undecided or (clause.planned and not reported)) and spec.type in (
        "text",
        "list",
    )
