"""Names in Latin letters beside a title, a role, a degree or a position: Dr. Jane Miller, patient John Smith, Emma Novak (CFO)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from metaagent.language.patterns import regex
from metaagent.protection.redaction import _western_words as words_of
from metaagent.protection.redaction._context import words
from metaagent.protection.redaction.finding import Detector, Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

_OF_PEOPLE = "full|first|last|patient|customer|client|user|employee|rep|doctor|contact|owner|author|account|person|recipient|guest"
_EN_KEY = regex(rf"[\"'](?:{_OF_PEOPLE})[_ -]?name[\"'] ?: ?[\"'](?=[A-Z])", re.IGNORECASE)
_CAP = r"[A-ZÀ-ÞĀ-Ɏ][a-zà-ɏ]*(?:['’-][A-Z]?[a-zà-ɏ]+)*(?<!['’]s)"
_NAME = rf"{_CAP}(?: [A-Z]\.)?(?: (?:van|von|de|der|da|di|del|la|bin|al))?(?: {_CAP}){{0,2}}"
# A capital after a space or a sign, by what ends a title, a role or a colon.
_CAPITAL = regex(r"[A-Z](?<=[.:=ac-eghklm-oq-tyA-Z][ :=].)(?=[a-z'’])")
_WESTERN = regex(_NAME)
_EN_TITLE = r"(?:(?:Dr|Mr|Mrs|Ms|Mx|Prof|DR|MR|MRS|MS)\.?|Miss|Professor|Doctor|Madam|Nurse) {1,2}"
_EN_ROLE = (
    r"(?:[Pp]atient|[Cc]ustomer|[Cc]lient|[Cc]ontact(?: person)?|[Mm]anager|[Rr]ep(?:resentative)?|[Nn]urse|"
    r"[Pp]hysician|[Pp]harmacist|[Ee]mployee|[Dd]octor|[Dd]irector|[Aa]ttn\.?|(?:[Ss]igned|[Pp]repared|[Aa]pproved|"
    r"[Rr]equested) by|[Nn]ame(?: is)?|[Bb]eneficiary|[Aa]pplicant|[Gg]uardian|[Cc]olleague|[Oo]wner|"
    r"holder|[Cc]ardholder|[Rr]ecipient|[Ss]ender|[Aa]uthor|C[EFTO]O|[Pp]resident|[Pp]articipant|[Ss]ubject|"
    r"[Ii]nvestigator|[Dd]esigner|[Ff]reelancer|[Aa]ttorney|[Ll]awyer|[Aa]ccountant|[Rr]esearcher|[Tt]herapist|"
    r"[Ss]urgeon|[Dd]entist|[Cc]andidate|[Dd]river|[Tt]enant|[Tt]rainee|[Vv]isitor|[Hh]ire|"
    r"[Ii]ntern|[Ss]ecretary|[Ss]upervisor)(?: ?[:=] ?| )"
)
_TITLE_BEFORE = regex(rf"(?<![A-Za-z]){_EN_TITLE}$")
ROLE_BEFORE = regex(rf"(?<![A-Za-z]){_EN_ROLE}$")
_DEGREE = r",? (?:MD|M\.D\.|PhD|Ph\.D\.|RN|PharmD|Esq|CPA)"
_DEGREE_AFTER = regex(rf"{_DEGREE}(?![A-Za-z])")
_BEFORE_DEGREE = regex(rf"(?<![A-Za-z'’-]){_CAP}(?: [A-Z]\.)? {_CAP}$")
# `Park Ji-hoon, Chief Pharmacist`, `Emma Novak (Sales Director)`: a title of one to four words in capitals.
_POSITION = (
    r"(?:Pharmacist|Director|Manager|President|Officer|"
    r"C[EFTMOIPS]O|CHRO|CISO|[SE]?VP|Nurse|Physician|Professor|Engineer|Analyst|Coordinator|Representative|Rep|Supervisor|"
    r"Consultant|Investigator|"
    r"Surgeon|Secretary|Chair(?:man|woman)?|Counsel|Specialist|Administrator|Head|Lead|Scientist|Accountant|Auditor|"
    r"Controller|Founder|Buyer|Monitor|Cardiologist|Oncologist|Pediatrician|Assistant|Associate|Executive|Editor|"
    r"Designer|Developer|Architect|Planner|Researcher|Attorney|Lawyer|Paralegal|Chemist|Biologist|Statistician|Programmer|"
    r"Technician|Therapist|Dentist|Trainer|Instructor|Lecturer|Freelancer|Contractor|Recruiter|Writer|Strategist|Advis[eo]r|"
    r"Treasurer|Chairperson|Dean|Intern|Radiologist|Dermatologist|Neurologist|Psychiatrist|Psychologist|Urologist)"
)
_TITLE_AFTER = regex(
    rf"(?:,| \() ?(?:the |our )?(?:[A-Z][A-Za-z&]{{1,15}} (?:of |and )?){{0,3}}{_POSITION}(?![A-Za-z])"
)
_STREET = regex(r"[0-9] [A-Z][a-z]+ (?:Dr|DR)\.? $")
_COMPANY = regex(
    r"(?:['’]s)?(?: [A-Z][A-Za-z&]+)? (?:Laborator|Labs?\b|Inc\b|Ltd\b|Co\b|Corp|Pharma|GmbH|Foods?\b|Group\b|Holdings|"
    r"Hospital|Clinic|Foundation|School|University|Street|Avenue)"
)
_STARTERS = frozenset(
    words("The This That And Or For In On At By With From To A An Is Are Was Not Please See Total")
)
"""Words that begin what follows a name, and belong to none: `Patient: Ann Lee See section 4`."""


def _english(text: str) -> Iterator[Hit]:
    done = 0
    for capital in _CAPITAL.finditer(text):
        start = capital.start()
        if start < done:
            continue
        head = text[max(0, start - 20) : start]
        titled = _TITLE_BEFORE.search(head) is not None and not _STREET.search(head)
        if (titled or ROLE_BEFORE.search(head)) and (found := _WESTERN.match(text, start, start + 80)):
            done = _named(text, found, titled)
            if done > start:
                yield Hit("NAME", start, done, 40)


def _keyed(text: str) -> Iterator[Hit]:
    """A name as the value of a key of people: it is the whole value, and no word of things is in it."""
    for key in _EN_KEY.finditer(text):
        found = _WESTERN.match(text, key.end(), key.end() + 80)
        whole = found is not None and text[found.end() : found.end() + 1] in ("'", '"')
        if found and whole and not any(part in words_of.NOT_NAMES for part in found[0].split()):
            yield Hit("NAME", *found.span(), 40)


def _with_degree(text: str) -> Iterator[Hit]:
    yield from _in_front_of(_DEGREE_AFTER, text)


def _with_position(text: str) -> Iterator[Hit]:
    yield from _in_front_of(_TITLE_AFTER, text)


def _in_front_of(shape: re.Pattern[str], text: str) -> Iterator[Hit]:
    for after in shape.finditer(text):
        before = _BEFORE_DEGREE.search(text, max(0, after.start() - 60), after.start())
        if before and not any(part in words_of.NOT_NAMES for part in before[0].split()):
            yield Hit("NAME", before.start(), before.end(), 40)


def _named(text: str, found: re.Match[str], titled: bool) -> int:
    """Find where the name ends; 0 if it is none. Beside a title one word is enough, beside a role it takes two."""
    parts = found[0].split(" ")
    if titled and (parts[0] in words_of.BRANDS or _COMPANY.match(text, found.end())):
        return 0
    most = len(parts) if titled else 3
    known = next((at for at, part in enumerate(parts) if part.rstrip(".") in words_of.NOT_NAMES), len(parts))
    kept = parts[: min(known, most)]
    goes_on = known < min(len(parts), most) and parts[known] not in _STARTERS
    if len(kept) < (1 if titled else 2) or (not titled and goes_on):
        return 0
    return found.start() + len(" ".join(kept))


DETECTORS = (
    Detector(rf"(?:^|[^A-Za-z])(?:{_EN_TITLE}|{_EN_ROLE})[A-Z][a-z'’]", _english, local=True),
    Detector(rf"(?i:[\"'](?:{_OF_PEOPLE})[_ -]?name[\"'] ?: ?[\"'])[A-Z]", _keyed, local=True),
    Detector(rf"[A-Za-zà-ɏ]\n?{_DEGREE}", _with_degree, local=True),
    Detector(
        rf"[A-Za-zà-ɏ]\n?(?:,| \() ?(?:the |our )?(?:[A-Z][A-Za-z&]+ (?:of |and )?)*{_POSITION}",
        _with_position,
        local=True,
    ),
)
