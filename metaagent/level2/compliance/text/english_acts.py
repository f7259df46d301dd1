"""Finds the acts of an English sentence that may give somebody something and name nothing harmless.

A verb that hands over, pays or serves is harmless where everything that it is done with informs; another verb after "I" or "we"
is harmless where it is one of ordinary work.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from metaagent.level2.compliance.text.harmless import (
    ACTS_EN,
    HANDS_OVER_EN,
    NEUTRAL_EN,
    PAYS_EN,
    PEOPLE_EN,
    SAMPLE_EN,
    THINGS_EN,
)
from metaagent.level2.compliance.text.vocabulary import BENEFIT_EN, OWN_POCKET

_CLAUSE = re.compile(
    r"[,;:]\s|\b(?:but|however|although|though|while|because|so that|and then|if|once|when|as long as|which|who|"
    r"and (?=(?:I|we|he|she|they)\b))\b|\s[–—-]\s",
    re.IGNORECASE,
)
_PART = re.compile(
    r",(?!\d)\s?|\band\b|\bplus\b|\balong with\b|\btogether with\b|\bas well as\b|\+", re.IGNORECASE
)
_OURS = re.compile(
    r"\b(?:I|[Ww]e|(?:[Tt]he|[Oo]ur|[Mm]y) (?:rep|team|company|manager|office|colleague|agency)|[Mm]arketing)\s+"
    r"(?:(?:also|then|only|just|later|simply|kindly|quickly|personally|have|had|has|will|would|'ll|did|do|can|could|should|may|"
    r"might|be|been|to|not|never|still|already|always|both|all|finally|gladly|quietly|discreetly)\s+)*(?P<verb>[a-z'-]+)"
)
_SOMEBODY = (
    r"(?:him|her|them|Dr\.? \w+|Prof\.? \w+|(?:the|his|her|their|a|two|three|both|all) (?:\w+ )?(?:doctors?|physicians?"
    r"|professors?|"
    r"nurses?|pharmacists?|surgeons?|residents?|receptionists?|secretary|director|staff|wife|husband|family|children|"
    r"daughter|son|ward|clinic|department|practice|hospital|pharmacy))"
)
_DONE_FOR = re.compile(
    rf"\s{_SOMEBODY}(?:'s)?\s(?:an?|some|two|three|several|\d+|his|her|their|with|out|up)\b|[^.;]*\bfor {_SOMEBODY}\b|"
    rf"\s{_SOMEBODY} (?:that )?(?:ours|something|theirs)\b"
)
"""Somebody of the other side gets what an act is done with, or it is done for them."""
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
_THEIRS = re.compile(
    r"\b(?:[Hh]e|[Ss]he|[Tt]hey|[Tt]he (?:\w+ )?(?:doctors?|professor|director|nurses?|pharmacists?|physicians?|surgeons?|"
    r"residents|hospital|clinic|patient|speaker|receptionist)|"
    r"(?:Dr|Prof)\.? [A-Z]\w+(?:'s (?:wife|husband|daughter|son|family))?|patients?)\s+"
    r"(?:also |then |kindly |already |has |had |will |would )*$"
)
_PASSIVE = re.compile(r"\b(?:was|were|been|is|are|be|being)\s+(?:also |then |already |not )*$", re.IGNORECASE)
_THEY_WISH = re.compile(
    r"\b(?:[Hh]e|[Ss]he|[Tt]hey|[Tt]he \w+|pharmacies|clinics|hospitals|patients|Dr\.? [A-Z]\w+|"
    r"Prof\.? [A-Z]\w+)\s(?:\w+\s)?(?:hint\w*|would like|wants?|"
    r"wanted|wish\w*|asked|"
    r"(?:would like|wants?|wanted|prefers?|plans?|planned|agreed|promised|offered) to|requested|suggested|proposed|"
    r"mentioned|likes?|loves?|enjoys?|told|said|talked|jok(?:ed|es)|chatted|complained|raved|"
    r"wondered|spoke|laughed|reminisced|boasted|remembered)\b"
)
_SAID_OF_PAPER = re.compile(rf"(?:{THINGS_EN.pattern})\s$", re.IGNORECASE)
"""A thing that informs stands right before its participle: report received."""
_WITHIN_US = re.compile(
    r"\s(?:it|that|this|them|the \w+|his \w+|her \w+)?\s?(?:on|along|over)?\s?to (?:our |the |my )?(?:medical|compliance|"
    r"safety|head office|"
    r"manager|finance|logistics|pharmacovigilance|marketing|team|colleagues?|quality|regulatory|legal)\b",
    re.IGNORECASE,
)
_DENIES_ITSELF = re.compile(
    r"\s*(?:no|nothing|none)\b(?! less| fewer)(?!.*\b(?:but|except|than|besides|apart|save|only)\b)",
    re.IGNORECASE,
)
"""A part of a list that says that there was no more: a leaflet and no other items."""
_IT = re.compile(r"\s(?:it|them|this|these)\b(?! (?:with|together|along)\b)")
_TO_US = re.compile(
    r"\s+(?:for )?(?:me|us|(?:both|all|each) of us)\b|(?:\s[\w'-]+){1,8}? (?:for|to) (?:me|us)(?=[.,;]|$| (?:and|but|as|at|on)\b)"
)
"""Our side gets it."""
_TAKES = re.compile(r"^(?:receiv|enjoy|accept|went home|walked away|ate|drank|dined|play|got)", re.IGNORECASE)


Span = tuple[int, int]


_PREPOSITION = re.compile(r"\b(?:of|off|from|for|on|in|per|against|towards?|instead of)\b", re.IGNORECASE)
_BUYS = re.compile(r"bought|buy|purchas|pa(?:y|id)|order", re.IGNORECASE)
_NOUN_BEFORE = re.compile(
    r"\b(?:the|a|an|this|that|these|those|our|my|his|her|their|its|any|no|every|each|first|second|next|last|new|sales|annual|"
    r"special|small|quick|minor|short|final|in|of|on|under|by|for|per)\s$",
    re.IGNORECASE,
)
_NOUN_AFTER = re.compile(
    r"\s?(?:[,.;:)]|$|\b(?:will|would|is|are|was|were|has|had|have|can|could|may|should|of|from|in|at|by|department|team|desk|"
    r"committee|office|room|letter|page|list|note|system|policy|budget|process|form|number|date|deadline|period|rate|time)\b)"
)
_PLAIN_FORM = re.compile(
    r"(?:offer|cover|fund|host|order|help|play|award|present|book|credit|deposit|discount|reserve|repair|supply|purchas|drink|"
    r"loan|grant|pay|pass|gift|reward|treat|leave|deliver|discount|fix|financ)(?:s|e|es|ing)?$",
    re.IGNORECASE,
)
_IDIOM = re.compile(
    r"(?:took|take|taking) the (?:bus|train|subway|metro|taxi|stairs|lift|elevator|opportunity|chance|time|call|leaflet|brochure|"
    r"minutes|lead|floor|point|card|documents?|survey)\b|"
    r"pass(?:ed|es|ing)?\s(?:(?:its|their|the|his|her|all|an?|our)\s)?(?:\w+\s)?(?:years?|months?|deadlines?|expiry|"
    r"inspections?|audits?|tests?|"
    r"exams?|reviews?|checks?|quiz)\b|"
    r"(?:brought|bring(?:ing|s)?)\s(?:forward|up|in line|to (?:our|my|the) attention|down|(?:the|this|that) up)\b|"
    r"cover(?:s|ed|ing)?\s(?:for (?:me|us|him|her)\b(?! (?:dinner|lunch|the))|"
    r"(?:for )?(?:my|our) (?:\w+ )?(?:accounts?|territory|calls?|visits?|customers?|patch|area|region|shifts?|inbox|desk|duties|"
    r"clinics?|hospitals?|pharmacies|practices?|wards?|doctors|route|work|job)\b|"
    r"the (?:topic|slides|data|agenda|points?)|"
    r"(?:by|under) (?:the )?(?:insurance|national|reimbursement))|"
    r"leaving for (?:his|her|their|a|the|work|home|[A-Z]\w+)\b|(?:left|leave|leaving)\s?(?:[.,;]|$)|(?:left|leave"
    r"|leaving)\s(?:early|late|for the (?:day|office|next)|at \d|"
    r"the (?:room|office|building|clinic|hospital|meeting|company|"
    r"floor|ward|field|question|decision)\b|after|before|it (?:at that|open))|(?:pay|paid|paying)\s(?:a visit|attention|off)|"
    r"help(?:s|ed|ing)?\s(?:to |us |me |patients? |explain|understand|reduce|improve|with (?:that|this|the (?:question|"
    r"search)))|"
    rf"(?:offered|offer|offers|offering)\sto (?={HANDS_OVER_EN.pattern})|"
    r"(?:offered|offer|offers|offering)\s(?:to (?:call|explain|meet|check|review|forward|clarify)|no |an? (?:apology|"
    r"explanation|"
    r"opinion|answer|view|correction))|provid(?:ed|ing)\s(?:that\b|by (?:the )?(?:law|code|label))|"
    r"(?:invited|registered|enrolled|booked)\s(?!to\b|for\b|at\b|him|her|them|the|Dr|Prof|a\b|on\b)|"
    r"play(?:s|ed|ing)?\s(?:a|an|no|the|its) (?:\w+ )?(?:role|part)|took care\b(?! of)|(?:take|taking) care[,.!]?\s*$|"
    r"fix(?:ed|es|ing)?\s(?:(?:the|my|our|this|that|those|a|an)\s)?(?:\w+\s)?(?:amounts?|entr(?:y|ies)|figures?|dates?|drafts?|numbers?|"
    r"typos?|mistakes?|errors?|wording|forms?|reports?|records?|headcount|spelling|names?|links?|slides?|appointments?)\b|"
    r"(?:settled|settle)\s(?:on|down|in|the (?:question|matter|date|issue))|receiv(?:ed|es|e|ing)\s(?:approval|"
    r"confirmation|word|"
    r"notice|the (?:approval|answer|order|news)|an? (?:answer|call|question|complaint|request|report|order))",
    re.IGNORECASE,
)
"""Verbs of giving in phrases that give nobody anything."""
_DEPARTMENT = re.compile(r"finance(?![\w])", re.IGNORECASE)
_OBJECT = re.compile(
    r"\s(?:the|a|an|his|her|their|our|my|this|that|these|those|him|her|them|it|Dr|Prof|two|three|\d)\b",
    re.IGNORECASE,
)
"""A word that is a department unless something follows that it is done with: sent to finance within two days."""
_GENERAL = re.compile(
    r"\b(?:the one|those|anyone|anybody|whoever|people|staff|companies|employees) who\s$", re.IGNORECASE
)
_DEPARTED = re.compile(
    r".*\b(?:it|they|(?:the|our|my|his|her) (?:order|parcels?|goods|delivery|train|bus|flight|plane|"
    r"ship|van|truck)) (?:had |has |have )?(?:left|leaves?)$",
    re.DOTALL,
)
"""A thing leaves its place."""
LONGEST_PHRASE = 25
_WE_ARE_GIVEN = re.compile(
    r"\b(?:[Ww]e|I) (?:(?:had|have|has) been|was|were|am|are)\s(?:also |then |kindly |both )?$"
)
_PAYING = frozenset(
    [
        "paid",
        "pay",
        "once",
        "card",
        "corporate",
        "cards",
        "counter",
        "cashier",
        "bill",
        "full",
        "total",
        "account",
        "receipt",
        "same",
        "time",
        "immediately",
    ]
)
_COLLEAGUE = re.compile(
    r"\b(?:[Mm]y|[Oo]ur) (?:\w+ )?(?:colleagues?|manager|boss|team ?mates?|supervisor|trainer)\s(?:\w+ly )?$|"
    r"\b(?:[Tt]he|[Oo]ur) (?:company's |car |company |health )?(?:wholesaler|distributor|insurer|ministry|foundation|"
    r"association|government|courier|insurer|insurance)s?\s(?:will |also |then )*$"
)
_INSTITUTION = re.compile(
    r"(?:[A-Z][\w'.-]+ )+(?:Clinic|Hospital|Practice|Medical Cent(?:er|re)|Pharmacy)\s(?:is |are |was |were |has |had |will )*"
    r"(?:been )?$"
)


def is_a_verb(text: str, start: int, end: int) -> bool:
    """Say whether a form of a verb of giving is one here: no noun, no adjective and no idiom."""
    if _IDIOM.match(text, start) or (_DEPARTMENT.match(text, start) and not _OBJECT.match(text, end)):
        return False
    if _PLAIN_FORM.match(text[start:end]) is None:
        return True
    if _NOUN_BEFORE.search(text[max(0, start - 12) : start]):
        return False
    return not (
        _NOUN_AFTER.match(text, end) and not re.search(r"\b(?:to|will|would|I|we|not)\s$", text[:start])
    )


_PASSED = re.compile(r"passed\s*(?:[.,;]|$)", re.IGNORECASE)
"""A test that somebody passed: what is passed to somebody is named after the verb."""


_ONE_OF_THEM = (
    r"(?:Dr\b|Prof\b|him\b|her\b|them\b|(?:the|a|his|her|their|our|both|all|two|three) (?:\w+ ){0,2}?(?:doctors?|physicians?|"
    r"surgeons?|nurses?|midwi(?:fe|ves)|dentists?|residents?|\w{4,12}ologists?|ward|staff|director|pharmacists?|"
    r"receptionists?|professors?|secretary|clinicians?|wife|husband|daughter|son|children|family)\b)"
)
_GOES_TO = re.compile(
    r"\b(?:(?:went|goes?|going|gone|came|comes?|ended up|ends? up|lands?|landed|(?:is|are|was|were) (?:now|already)) "
    r"(?:straight |directly |right |free )?(?:to|with|at)|(?:found|made) (?:its|their) way to|reach(?:ed|es)|"
    rf"(?:was|were|is|are) for(?= {_ONE_OF_THEM}[^.;,]{{0,16}}'s (?:\w+ )?(?:son|daughter|wife|husband|child|family|home|house))) "
    rf"{_ONE_OF_THEM}"
)
_A_PERSON = re.compile(
    r"\b(?:I|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|who|(?:[Mm]y|[Oo]ur|[Tt]he) (?:\w+ )?(?:manager|colleagues?|team|boss|reps?|trainees?|"
    r"patients?|doctors?|nurses?|trainer|supervisor|courier|driver|intern)|Dr\.? \w+|Prof\.? \w+|"
    r"[Tt]hen|[Aa]nd|[Nn]ext)\b[^,;]*$|^\W*$"
)
"""A thing goes to somebody; a person who goes there visits."""


_GETS = re.compile(
    rf"(?:^|\W){_SOMEBODY}(?:'s (?:wife|husband|daughter|son|family))?,?\s(?:now |also |then |each |all )?"
    r"(?P<verb>gets?|receives?|keeps?(?= (?:it|one|the|our)\b)|"
    r"will (?:get|have|receive|be given)|(?:was|were|is|are|has been|have been|had been) (?:being )?given|"
    r"(?:is|are) (?:getting|to (?:get|have|receive)))\b",
    re.IGNORECASE,
)
"""Somebody of the other side has something of ours, whoever gives it."""
_FINDS = re.compile(
    rf"\b(?P<verb>f(?:ind|ound)|get|got|made?(?! sure)|ch(?:oo|o)se|pick(?:ed)? out|buil[dt]|prepared?|"
    rf"set up)(?P<what>\s[^.;,]{{3,60}}?)\sfor {_SOMEBODY}",
    re.IGNORECASE,
)
"""Our side comes by something for them, by a verb of ordinary work."""


def _provided(text: str, facts: Sequence[Span]) -> Iterator[tuple[int, int, int]]:
    """Verbs that give nothing by themselves: they do with somebody of the other side and a thing that informs nobody."""
    for m in _GETS.finditer(text):
        start, end = m.span("verb")
        last = _clause_end(text, end)
        if (
            _strange(text[end:last])
            and not _informs(text, end, last, facts)
            and not _within(facts, start, last)
        ):
            yield start, end, last
    for m in _FINDS.finditer(text):
        start, end = m.span("what")
        if _strange(m["what"]) and not _informs(text, start, end, facts) and not _within(facts, start, end):
            yield m.start("verb"), m.end("verb"), m.end()


def english_acts(text: str, facts: Sequence[Span] = ()) -> Iterator[tuple[int, int, int]]:
    """Acts that neither a harmless thing nor a fact explains: where the verb begins and ends, and the end of its clause."""
    for m in HANDS_OVER_EN.finditer(text):
        if _PASSED.match(text, m.start()):
            continue
        if is_a_verb(text, m.start(), m.end()) and not act_is_harmless(text, m.start(), m.end(), facts):
            yield m.start(), m.end(), max(m.end(), _clause_end(text, m.end()))
    for m in _GOES_TO.finditer(text):
        first = _clause_start(text, m.start())
        went = not _A_PERSON.search(text, first, m.start()) and not _informs(text, first, m.start(), facts)
        if went and not act_is_harmless(text, m.start(), m.end(), facts):
            yield m.start(), m.end(), max(m.end(), _clause_end(text, m.end()))
    yield from _provided(text, facts)
    for m in _OURS.finditer(text):
        verb, end = m["verb"].lower(), _clause_end(text, m.end())
        given = re.search(r"\b(?:been|was|were|am|are)\s", m.group()) is not None
        strange = not given and verb not in ACTS_EN and verb not in NEUTRAL_EN and not verb.endswith("ly")
        rest = text[m.end() : end]
        if (
            strange
            and _DONE_FOR.match(rest)
            and not THINGS_EN.search(rest)
            and not _within(facts, m.end(), end)
        ):
            yield m.start("verb"), m.end("verb"), end


def act_is_harmless(text: str, start: int, end: int, facts: Sequence[Span] = ()) -> bool:
    """Say whether the other side does it and has nothing from it, or all that it is done with informs or is a fact."""
    theirs = any(who.search(text[:start]) for who in (_THEIRS, _COLLEAGUE, _INSTITUTION))
    if theirs and not _TAKES.match(text[start:end]):
        return True
    near = max(0, start - LONGEST_PHRASE)
    if _WE_ARE_GIVEN.search(text[near:start]) or _DEPARTED.match(text, near, end):
        return True
    if _GENERAL.search(text[max(0, start - LONGEST_PHRASE) : start]) or _pays_for_a_fact(
        text, start, end, facts
    ):
        return True
    if _THEY_WISH.search(text[_clause_start(text, start) : start]):
        return True
    if HANDS_OVER_EN.fullmatch(text, start, end) is None:
        return False
    done = text[start:end].lower().endswith(("ed", "sent", "given", "left", "went out"))
    if (done and _SAID_OF_PAPER.search(text[:start])) or _WITHIN_US.match(text[end:]):
        return True
    if _TO_US.match(text[end:]) or OWN_POCKET.search(text, start, _clause_end(text, end)):
        return True
    if _of_paper_before(text, start, end, facts):
        return True
    last = _clause_end(text, end)
    if _BUYS.match(text, start) and PEOPLE_EN.search(text, end, last) and not _within(facts, end, last):
        return False
    return _informs(text, end, last, facts)


def only_samples_before(text: str, start: int) -> bool:
    """Say whether the verb is said of samples alone that stand before it: one sample pack, labelled as such, was left."""
    first, *others = _PART.split(text[:start])
    return SAMPLE_EN.search(first) is not None and all(_MARKED.fullmatch(one) for one in others)


_MARKED = re.compile(
    r"\s*(?:was |were )?|\s*(?:properly |clearly |duly )?(?:labell?ed|marked|signed for|registered)\b.*",
    re.IGNORECASE,
)


def _of_paper_before(text: str, start: int, end: int, facts: Sequence[Span]) -> bool:
    """Say whether the verb is said of what stands before it, and that informs: the form was sent, the form … and sent it."""
    first = _clause_start(text, start)
    if _PASSIVE.search(text[first:start]) and _informs(text, first, start, facts):
        return True
    if not _IT.match(text[end:]):
        return False
    return THINGS_EN.search(text, 0, start) is not None and BENEFIT_EN.search(text, 0, start) is None


def _pays_for_a_fact(text: str, start: int, end: int, facts: Sequence[Span]) -> bool:
    """Say whether a payment names nobody and nothing: it is for what was judged before it in the sentence."""
    last = _clause_end(text, end)
    words = _WORD.findall(text[start:last])
    known = all(word.lower() in NEUTRAL_EN or word.lower() in _PAYING for word in words)
    return known and PAYS_EN.match(text, start) is not None and _within(facts, 0, start)


def _within(facts: Sequence[Span], start: int, end: int) -> bool:
    return any(start <= a < end for a, _ in facts)


def _informs(text: str, start: int, end: int, facts: Sequence[Span]) -> bool:
    """Say whether each part of a list names something that informs or is a fact, and at least one does."""
    bounds = [start, *(at for m in _PART.finditer(text, start, end) for at in m.span()), end]
    parts = [(a, b) for a, b in zip(bounds[::2], bounds[1::2], strict=True) if text[a:b].strip()]
    another = next((at for at, (a, _) in enumerate(parts) if at and _NEXT_ACT.match(text, a)), len(parts))
    parts = parts[:another]
    named = [_names_paper(text[a:b]) or _within(facts, a, b) for a, b in parts]
    return any(named) and all(
        known or _DENIES_ITSELF.match(text[a:b]) or not _strange(text[a:b])
        for (a, b), known in zip(parts, named, strict=True)
    )


_NEXT_ACT = re.compile(rf"\s*(?:{HANDS_OVER_EN.pattern})", re.IGNORECASE)
"""Another act begins, which has its own things."""


def _names_paper(part: str) -> bool:
    """Say whether the head of the words is a thing that informs: of "a copy of the label" the copy, not what follows."""
    found = THINGS_EN.search(part)
    if found is None:
        return False
    before = _PREPOSITION.split(part[: found.start()])
    return len(before) == 1 or not any(_strange(one) for one in before)


def _strange(part: str) -> bool:
    """Say whether words remain that are neither names nor ordinary."""
    return any(
        word.lower() not in NEUTRAL_EN and word.lower() not in ACTS_EN and not word[0].isupper()
        for word in _WORD.findall(part)
    )


def _clause_end(text: str, start: int) -> int:
    found = _CLAUSE.search(text, start)
    return found.start() if found else len(text.rstrip())


def _clause_start(text: str, end: int) -> int:
    return max((m.end() for m in _CLAUSE.finditer(text, 0, end)), default=0)
