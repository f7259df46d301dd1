"""Names in Latin letters by what they are made of: Hannah Weber, Seo Minji, Ga-young Moon, Chen Wei, and those in letters.

A given name and a surname need no title beside them. Two words that no list has are a name where only people stand: in a
signature, after `cc:`, before their mail address.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from metaagent.language.patterns import regex
from metaagent.protection.redaction import _western_words as words_of
from metaagent.protection.redaction._context import words
from metaagent.protection.redaction._western import ROLE_BEFORE
from metaagent.protection.redaction.finding import Detector, Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD = r"(?:Mc|Mac|O['’]|D['’])?[A-ZÀ-ÞĀ-Ɏ][A-Za-zà-ɏ]*(?:[’'][A-Za-zà-ɏ]{2,}|-[A-Za-zà-ɏ]+)*"
_JOINT = r" (?:[A-Z]\. |(?:van|von|de|der|den|da|di|del|la|le|dos|bin|al|el|ten|ter|zu) ){0,2}"
# A capital first, and what stands before it then: that is how such a search is fast.
_FIRST_WORD = r"[A-ZÀ-ÞĀ-Ɏ](?<![A-Za-z0-9._/à-ɏ-].)(?<![A-Za-z0-9.]@.)[A-Za-zà-ɏ]*(?:[’'][A-Za-zà-ɏ]{2,}|-[A-Za-zà-ɏ]+)*"
_RUN = regex(rf"{_FIRST_WORD}(?:{_JOINT}{_WORD}){{1,6}}(?![0-9@_])")
_SINGLE = regex(r"[A-Z][a-zà-ɏ]{2,}+")
_WITHIN = regex(r"(?:[A-Z][A-Za-zà-ɏ]*[.,]? |[A-Za-z0-9_@./à-ɏ'’-])$")
_GOES_ON = regex(r" [A-Z]|[A-Za-z0-9_@/]|[-.][A-Za-z0-9]|[’'][A-Zt]")
_PART = regex(rf"(?:{_JOINT})?({_WORD})")
_COMMA = regex(rf"(?<![A-Za-z0-9@._/-])({_WORD}), ({_WORD})(?: [A-Z]\.)?(?![A-Za-z0-9@])")
_GREETED = regex(
    rf"(?:^|(?<=[\n>\"]))(?:Dear|Hi|Hello|Hey|Thanks|Thank you|Cheers),? ({_WORD})(?=[,!.:\n]|$)",
    re.MULTILINE,
)
_SIGNED = regex(
    rf"(?:[Rr]egards|[Ss]incerely|[Tt]hanks|[Cc]heers|[Bb]est|[Yy]ours|[Gg]reetings|[Ww]ishes|[Tt]hank you)[ ,.!]*\n+"
    rf"({_WORD}(?:{_JOINT}{_WORD}){{0,2}}) ?(?=\n|$|,|\|)"
)
_SYLLABLES = "|".join(sorted(words_of.KOREAN_SYLLABLES.split(), key=len, reverse=True))
_KOREAN_GIVEN = regex(rf"(?:{_SYLLABLES})(?:-|’|')?(?:{_SYLLABLES})", re.IGNORECASE)
# Any two syllables as Korean is written in Latin letters: with a hyphen between them and a surname beside them, a name.
_ROMANISED = r"(?:kk|tt|pp|ss|jj|ch|sh|[gkndtrlmbpsjhwy])?(?:y?eo|y?ae|eu|ui|oe|oo|ee|w[aeio]|y?[aeou]|i)(?:ng|[knlmptbgr])?"
_HYPHENED = regex(rf"{_ROMANISED}-{_ROMANISED}", re.IGNORECASE)
_KOREAN_SYLLABLE = regex(rf"(?:{_SYLLABLES})", re.IGNORECASE)
_PINYIN = "|".join(sorted(words_of.PINYIN.split(), key=len, reverse=True))
_CHINESE_GIVEN = regex(rf"(?:{_PINYIN})-?(?:{_PINYIN})?", re.IGNORECASE)
# Only people stand here.
_AMONG_PEOPLE = regex(
    r"(?:(?:^|\n|[>|(;.] ?|[a-z] )(?:[Ff]rom|[Tt]o|CC|[Cc]c|[Bb]cc|[Aa]ttn|[Aa]ttendees?|[Pp]articipants?|[Pp]resent|[Ss]peakers?|"
    r"[Aa]bsent|[Pp]anel|[Ii]nterviewers?|[Tt]eam|[Cc]ontacts?|[Pp]ayee|[Bb]uddy|[Mm]entor|[Hh]osts?|[Ii]nvitees?|"
    r"[Rr]eviewers?|[Aa]pprovers?|[Pp]assengers?|[Gg]uests?|[Tt]ravell?ers?|[Cc]ouriers?|[Oo]perators?|[Tt]ranslators?|"
    r"[Ii]nterpreters?|[Tt]rainers?|[Ii]nspectors?|[Aa]uditors?|[Oo]rgani[sz]ers?|[Ii]nstructors?|[Tt]eachers?|"
    r"[Aa]ssignees?|[Tt]rainees?|[Cc]allers?|[Vv]isitors?|[Tt]enants?|[Tt]echnicians?|[Rr]equest[eo]rs?|[Ss]igner|"
    r"[Ss]ignatory|PIC|[Ss]pouse|[Ww]ife|[Hh]usband|[Mm]other|[Ff]ather|[Nn]ext of kin|[Ee]mergency contact)\.?:"
    r"|\b(?:met with|spoke (?:to|with)|talked (?:to|with)|call(?:ed)? with|interview(?:ed)? with|[Aa]ccording to|on behalf of|"
    r"(?:[Ss]igned|[Ww]ritten|[Tt]aken|[Aa]pproved|[Pp]repared|[Rr]eviewed|[Ss]ubmitted|[Rr]equested|[Rr]eported|[Hh]andled|"
    r"[Dd]rafted|[Ww]itnessed|[Cc]haired|[Cc]ountersigned|[Ll]ogged|[Rr]aised|[Ff]iled|[Cc]hecked|[Vv]erified|[Tt]ranslated|"
    r"[Ee]dited|[Rr]ecorded|[Pp]resented|minutes|led|hosted|covered)(?: off| up| in)? by|"
    r"(?:[Vv]oicemail|[Mm]essage|[Ee]?-?[Mm]ail|[Cc]all|[Nn]ote|[Ll]etter|[Rr]eply|[Aa]pologies|[Ff]eedback|[Ii]nput|[Ww]ord) from|"
    r"(?:[Ff]orwarded|[Gg]ave|[Gg]iven|[Hh]anded|[Aa]ssigned|[Pp]assed|[Ee]scalated|[Dd]elegated|"
    r"[Rr]eports?|[Rr]eporting|[Ii]ntroduced|[Bb]elongs|[Ll]ent|[Ss]peak|[Tt]alk)(?: [a-z0-9A-Z'-]{1,14}){0,4} to|"
    r"c/o|care of|[Aa]ttention|(?:[Bb]adge|[Vv]isa|[Ll]ocker|[Pp]ermit|[Tt]icket|[Ff]light|[Rr]eset|[Pp]ayslip|[Oo]nboarding|"
    r"[Ff]arewell|[Cc]over|[Ss]tanding in|[Ff]illing in|[Ll]ooking|[Aa]sk)(?: [a-z]{1,10}){0,2} for|[Ii]nstead of|"
    r"(?:[Rr]ing|[Pp]hone|[Cc]all|[Ee]mail|[Tt]ext|[Aa]sk|[Cc]ontact|[Tt]ell|[Rr]emind|[Ii]nvite|[Mm]eet) |[Pp]ayee |[Cc]onsignee |"
    r"(?:payee|consignee|applicant|speaker|buyer|seller|tenant|witness|claimant|reporter|holder|winner) is |present were |"
    r"(?:[Nn]ame|[Ss]igned|[Aa]pproved|[Rr]eviewed|[Ss]ubmitted|[Rr]eporter|[Tt]raveller|[Tt]raveler|[Cc]onsignee)[:=]))"
    r" ?(?:[^\n:;]{0,60}(?:,|;| and| &) )?$"
)
# A verb, or what somebody has: said of a pair of words that are no words of things, it is said of a person.
_IS_SUBJECT = regex(
    r" (?:is|was|has|had|does|did|do|wo|ca|could|would|should)n['’]t\b| and (?:I|he|she)\b|, (?:who|whose|whom|aged?)\b"
    r"|, (?:our|my|her|his|their|the|an?) [a-z]{3,15}(?: [a-z]{3,15})?,"
    r"| (?:never|just|also|still|no longer|already|always|recently|kindly|finally) (?:[a-z]+ed|[a-z]+s|left|went|sent|said)\b"
    r"| \((?:she|he|they)/| \([A-Z][a-z]+ (?:office|team|branch|site|plant|lab|desk|department)\)| (?:from|of the) [A-Z][A-Za-z]+ "
    r"(?:asked|called|said|wants|wrote|team|office|branch|[a-z]+ed)\b| (?:quit|owes|withdrew|requests|wants|thinks|knows|likes)\b"
    r"|['’]s [a-z]| as (?:a |an |the |our )?[a-z]| to [a-z]+ (?:the|a|an|his|her|their|our|it|up|with|for|in|on|by)\b| "
    r"[a-z]{2,}ed (?!by\b)|"
    r" (?:is|was|has|had|will|can|could|would|should|did|does|may|must|rang|ran|sent|got|came|went|gave|took|met|won|made|needs|"
    r"spoke|forgot|bought|brought|found|kept|lost|paid|said|saw|sold|taught|thought|told|wrote|calls|asks|lives|works|cannot|and "
    r"(?:his|her|their)|of [A-Z])\b"
)
_HAS_BEFORE = regex(
    r"(?:\b(?:for|by|with|from|to|and|met|hired|into|seen|see|add|than|between|via|told|named|called|thank|thanks|welcome|"
    r"husband|wife|son|daughter|brother|sister|mother|father|partner|colleague|friend|boss|(?<![A-Z][a-z]{2} )(?<=[a-z] )of|"
    r"[Ww]elcome|[Cc]ongratulations to|[Pp]assenger|[Ii],|[a-z]{3,14},)|(?:^|[\s(])@|(?:^|[\n,;] ?)[0-9]{1,2}[A-K]| -) ?$"
)
_IS_FIELD = regex(r"(?:[/|>→] ?|\b[Ww]ho is )$")
_OPENS_FIELD = regex(r"(?:^|\n) ?(?:[-*•] |[0-9]{1,2}[.)] )?$")
_ENDS_FIELD = regex(r" ?(?:→|->|>|\| ?[A-Z]|\[[A-Z]{2}|\([A-Z]{2,4}\)|: [A-Z]|\?$|$|\n)")
_SIGN_AFTER = regex(r" ?[^\s$?]")
_IS_PREDICATE = regex(
    r"\b(?:hire|candidate|owner|lead|contact|author|host|speaker|winner|driver|buyer|starter|deputy|backup) is $"
)
_LABEL = regex(r"(?:^|[\n.;|(/] ?| [-|/] )([A-Z]?[a-z'’]{2,14}(?: (?:[a-z]{2,12}|[0-9]{1,3})){0,3}): ?$")
_LEADS = frozenset(
    words(
        "On In At By For From To With When While After Before Since Once If As And But Also Yesterday Today Tomorrow Last Next "
        "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April June July August September "
        "October November December Then So Because Although"
    )
)
"""Words that may lead a sentence before somebody's name: On Tuesday …"""
_WRITTEN_TOGETHER = regex(
    r"[a-z][A-Z](?<!Mc[A-Z])(?<!Mac[A-Z])(?<!De[A-Z])(?<!Di[A-Z])(?<!La[A-Z])(?<!Le[A-Z])(?<!Van[A-Z])(?<!Fitz[A-Z])"
)
"""A capital within a word, as programs have them and few names do: GlobalContext, never McAllister."""
_OF_THINGS_ENDS = regex(
    r"(?:(?:[eo]r|ie|le|ing|ion|nt|ct|al|ic|ce|ge|rol|ool|est|ext)s|ing|tion|sion|ment|ness|ity|ance|ence|ware|ics|ogy|ism|ible|ful|less|"
    r"ous|ive|ical|ed)$"
)
"""Ends of words of things: hardly any surname has one that no list has."""
_FIGURE_BEFORE = regex(r"(?<![A-Za-z,.)])[0-9] $")
_OF_THINGS = frozenset(
    [
        "product",
        "products",
        "item",
        "items",
        "venue",
        "place",
        "city",
        "country",
        "subject",
        "topic",
        "title",
        "project",
        "brand",
        "company",
        "model",
        "route",
        "drug",
        "hotel",
        "supplier",
        "vendor",
        "manufacturer",
        "sponsor",
        "site",
        "location",
        "organization",
        "organisation",
        "store",
        "region",
        "status",
        "hospital",
        "clinic",
        "customer",
        "material",
        "destination",
        "origin",
        "program",
        "programme",
        "event",
        "study",
        "trial",
        "system",
        "server",
        "department",
        "team",
        "area",
        "district",
    ]
)
_KIN = regex(
    r"\b(?:husband|wife|son|daughter|brother|sister|mother|father|partner|colleague|friend|boss|fianc[eé]e?|kid|"
    r"[Bb]irthday|hi to|hello to|thanks to|[Tt]hank you|[Cc]ongrats|[Ww]elcome|bye) $"
)
_MAIL_OR_PHONE = regex(
    r"(?: on| at)? ?[,:;(<\[|/-]? ?(?:mailto:)?(?:[A-Za-z0-9._%+-]{1,40}@[A-Za-z0-9]|\+?[0-9(][0-9() .-]{7,})"
)
_DOES = regex(
    r" (?:asked|said|says|called|wrote|replied|agreed|joined|moved to|left|told|thinks|wants|prefers|resigned|presented|chaired|"
    r"attended|signed|works|lives|visited|complained|mentioned|emailed|phoned|texted|forgot|retired|is (?:on leave|away|sick|out)|"
    r"will (?:chair|join|sign|attend|present|speak|call|lead|visit|cover|be|send|bring|take)|has (?:asked|left|joined|"
    r"resigned|agreed))\b"
)
_COMPANY = regex(
    r"(?:['’]s)? ?(?:&|(?:[A-Z][A-Za-z]+ )?(?:Laborator|Labs?\b|Inc\b|Ltd\b|LLC\b|Co\b|Corp|Pharma|GmbH|AG\b|Foods?\b|Group\b|"
    r"Holdings|Hospital|Clinic|Foundation|School|University|College|Institute|Street|Avenue|Road|Award|Prize|Hall\b|Building|"
    r"Airport|Stadium|Bridge|Center|Centre|Museum|Bank|Biotech|Biologics|Healthcare|Therapeutics|test\b|titration|criteria|"
    r"curve|scale|syndrome|disease))"
)
_INITIALS = regex(r"(?<![A-Za-z.])(?:[A-Z]\. ?){1,2}([A-Z][a-zà-ɏ'’]{2,}(?:-[A-Z]?[a-zà-ɏ]+)*)(?![A-Za-z@])")
_ASKS = r"(?:[Aa]sk(?: for)?|[Tt]ell|[Rr]emind|[Pp]ing|[Nn]otify|(?:[Ss]peak|[Tt]alk) (?:to|with)|[Cc]heck with|[Ll]et) "
_ASKED = regex(rf"\b{_ASKS}({_WORD})(?=[.,;!?)\n]|$| [a-z])")
_HUMAN = r"(?:confirm|check|send|call|join|sign|review|approve|attend|reply|share|forward|email|present|bring|explain|visit|ask)"
_MODAL = r"(?:[Cc]ould|[Cc]an|[Ww]ould|[Ww]ill|[Dd]id|[Ss]hould)"
_CARERS = r"(?:[Nn]urse|[Mm]idwife|[Dd]octor|[Pp]harmacist|[Ii]ntern|[Cc]olleague|[Nn]eighbou?r|[Cc]arer)"
# One word, where only somebody can be meant: Could Devraj confirm …, nurse Perpetua was on shift.
_WANTED = regex(
    rf"\b{_MODAL} ([A-Z][a-z]{{3,}}) (?:please )?{_HUMAN}\b"
    rf"|\b{_CARERS} ([A-Z][a-z]{{3,}})(?= (?:is|was|has|had|said|asked|will|called)\b)"
)
_GREETINGS = frozenset(("Hi", "Hello", "Dear", "Hey", "Thanks"))
_ANY_GIVEN = words_of.GIVEN | words_of.MAYBE_GIVEN
_NAMED_WITH = regex(rf"(?:,|;| and| &) ({_WORD}) ({_WORD})")
_NAMED_BEFORE = regex(rf"(?<![A-Za-z-])({_WORD}) ({_WORD})(?:;| and| &) $")
_LISTED_BEFORE = regex(rf"(?<![A-Za-z-])({_WORD}) ({_WORD}), $")
_ENDS_ITEM = regex(r" ?(?:$|[,;\n.]| and )")
_COORDINATED = regex(
    rf"(?:, {_WORD} {_WORD}){{0,4}},? and {_WORD} {_WORD} (?:were|are|have|will|both|swapped|[a-z]+ed)\b"
)
_WIDEST_AFTER = 160
_EVERYBODY = frozenset(
    (
        "All",
        "Everyone",
        "Both",
        "Folks",
        "There",
        "Sir",
        "Madam",
        "Colleagues",
        "Friends",
        "Guys",
        "Everybody",
    )
)
_ORGANISATIONS = frozenset({
    ("Philip", "Morris"), ("Robert", "Bosch"), ("Calvin", "Klein"), ("Charles", "Schwab"), ("Louis", "Vuitton"),
    ("Henry", "Schein"), ("Max", "Planck"), ("Hugo", "Boss"), ("John", "Deere"), ("Mary", "Kay"), ("Ralph", "Lauren"),
    ("Morgan", "Stanley"), ("Thermo", "Fisher"), ("Eli", "Lilly"), ("Parke", "Davis"), ("Baker", "Hughes"),
    ("Bristol", "Myers"), ("Goldman", "Sachs"), ("Rolls", "Royce"), ("Harley", "Davidson"), ("Kimberly", "Clark"),
    ("Becton", "Dickinson"), ("Booz", "Allen"), ("Ernst", "Young"), ("Sherwin", "Williams"), ("Abbott", "Park"),
    ("Karl", "Fischer"), ("Johns", "Hopkins"), ("Jack", "Daniels"), ("Carl", "Zeiss"), ("Michael", "Page"),
})  # fmt: skip


def _parts(text: str, start: int, end: int) -> list[tuple[str, int, int]]:
    return [(part[1], part.start(1), part.end(1)) for part in _PART.finditer(text, start, end)]


def _cased(word: str) -> str:
    return word.capitalize() if len(word) > 2 and word.isupper() else word


@lru_cache(maxsize=1024)
def _is_pair(first: str, second: str) -> bool:
    """Tell whether these are a given name and a surname, in the order of their language."""
    if (first, second) in _ORGANISATIONS:
        return False
    if first in words_of.KOREAN_SURNAMES and _is_korean_given(second):
        return True
    if second in words_of.KOREAN_SURNAMES and _is_korean_given(first):
        return True
    if first in words_of.CHINESE_SURNAMES and _is_chinese(second):
        return True
    if second in words_of.CHINESE_SURNAMES and _is_chinese(first):
        return True
    if first in words_of.GIVEN:
        return _is_surname(second) or second not in words_of.NOT_NAMES
    if second in words_of.SURNAMES and second not in words_of.ALSO_WORDS and len(first) > 2:
        return first not in words_of.NOT_NAMES and not words_of.OF_COMPANIES.search(first)
    return first in words_of.MAYBE_GIVEN and _is_surname(second) and second not in words_of.NOT_NAMES


def _is_korean_given(word: str) -> bool:
    return bool(_KOREAN_GIVEN.fullmatch(word) or _HYPHENED.fullmatch(word))


def _is_chinese(word: str) -> bool:
    return word not in words_of.NOT_NAMES and _CHINESE_GIVEN.fullmatch(word) is not None


def _is_surname(word: str) -> bool:
    return word in words_of.SURNAMES or word in words_of.KOREAN_SURNAMES


def _pairs(text: str) -> Iterator[Hit]:
    for run in _RUN.finditer(text):
        parts = _parts(text, *run.span())
        at = 0
        while at < len(parts) - 1:
            count = _length(text, parts, at)
            if count:
                yield Hit("NAME", parts[at][1], parts[at + count - 1][2], 40)
            at += count or 1


def _singles(text: str) -> Iterator[Hit]:
    """Given names alone: any that is no word besides, others by what is said of them."""
    if _ANY_GIVEN.isdisjoint(_SINGLE.findall(text)):
        return
    for found in _SINGLE.finditer(text):
        start, end = found.span()
        if found[0] in _ANY_GIVEN and not _GOES_ON.match(text, end):
            before = _WITHIN.search(text, max(0, start - 20), start)
            if (before is None or before[0].strip(" ,.") in _GREETINGS) and _is_somebody(
                text, found[0], start, end
            ):
                yield Hit("NAME", start, end, 38)


def _is_somebody(text: str, word: str, start: int, end: int) -> bool:
    if word in words_of.GIVEN and word not in words_of.NEVER_ALONE and word not in words_of.NOT_NAMES:
        return _COMPANY.match(text, end) is None
    return _DOES.match(text, end) is not None or _KIN.search(text, max(0, start - 12), start) is not None


def _length(text: str, parts: list[tuple[str, int, int]], at: int) -> int:
    """Count the words of the name that begins here; 0 if none does."""
    cased = [_cased(part[0]) for part in parts[at : at + 3]]
    if len(cased) == 3 and _is_korean_apart(cased):
        return 3
    if not _is_pair(cased[0], cased[1]):
        return _unlisted(text, parts, at)
    third = cased[2] if len(cased) == 3 else ""
    # `Per Oh Ji-sub`: what begins a sentence is no name before a whole one.
    if cased[1] in words_of.KOREAN_SURNAMES and "-" in third and _is_korean_given(third):
        return 0
    of_three = (
        third and third not in words_of.NOT_NAMES and (_is_surname(third) or _is_chinese_of_three(cased))
    )
    # `Beth Ann Sorrell`: two given names want a surname.
    of_three = of_three or (
        len(third) > 2
        and third not in words_of.NOT_NAMES
        and {cased[0], cased[1]} <= words_of.GIVEN
        and len(parts) == at + 3
    )
    count = 3 if of_three else 2
    return 0 if _COMPANY.match(text, parts[at + count - 1][2]) else count


def _is_korean_apart(cased: list[str]) -> bool:
    """Tell whether a surname and two syllables are spelled apart: Park Tae Soo, Tae Soo Park."""
    first, middle, last = (bool(_KOREAN_SYLLABLE.fullmatch(part)) for part in cased)
    surnames = words_of.KOREAN_SURNAMES
    return middle and ((cased[0] in surnames and last) or (cased[2] in surnames and first))


def _is_chinese_of_three(cased: list[str]) -> bool:
    return cased[0] in words_of.CHINESE_SURNAMES and all(_is_chinese(part) for part in cased[1:])


def _unlisted(text: str, parts: list[tuple[str, int, int]], at: int) -> int:
    """Count the words of a name that no list has: the rest of a run, two or three words, where only people stand."""
    greeted = at == 1 and parts[0][0] in _GREETINGS
    led = all(part[0] in _LEADS for part in parts[:at])
    rest = parts[at:]
    if not (led or greeted) or not 2 <= len(rest) <= 3:
        return 0
    if any(
        part[0] in words_of.NOT_NAMES or len(part[0]) < 2 or _WRITTEN_TOGETHER.search(part[0])
        for part in rest
    ):
        return 0
    start, end = rest[0][1], rest[-1][2]
    if (rest[0][0], rest[1][0]) in _ORGANISATIONS or any(
        len(part[0]) > 1 and part[0].isupper() for part in rest
    ):
        return 0
    if (
        _COMPANY.match(text, end)
        or words_of.OF_COMPANIES.search(rest[-1][0])
        or _OF_THINGS_ENDS.search(rest[-1][0])
    ):
        return 0
    # `12 Angry Men` has a figure first: people are not called so.
    if _FIGURE_BEFORE.search(text, max(0, start - 3), start):
        return 0
    return len(rest) if greeted or _is_among_people(text, start, end) else 0


def _is_among_people(text: str, start: int, end: int) -> bool:
    """Tell whether only people stand here: by the words before, by what is said of them, or by a name beside."""
    # What follows is looked at first: to look back is a search of its own.
    after = (_IS_SUBJECT, _DOES, _MAIL_OR_PHONE, _COORDINATED)
    if any(shape.match(text, end, end + _WIDEST_AFTER) for shape in after):
        return True
    if _HAS_BEFORE.search(text, max(0, start - 20), start) or _is_in_a_field(text, start, end):
        return True
    if _IS_PREDICATE.search(text, max(0, start - 16), start):
        return True
    label = _LABEL.search(text, max(0, start - 48), start)
    if label and not _OF_THINGS.intersection(label[1].lower().split()):
        return True
    for beside in (
        _NAMED_WITH.match(text, end, end + 60),
        _NAMED_BEFORE.search(text, max(0, start - 40), start),
        _LISTED_BEFORE.search(text, max(0, start - 40), start)
        if _ENDS_ITEM.match(text, end, end + 6)
        else None,
    ):
        if beside and _is_pair(_cased(beside[1]), _cased(beside[2])):
            return True
    return _AMONG_PEOPLE.search(text, max(0, start - 90), start) is not None


def _is_in_a_field(text: str, start: int, end: int) -> bool:
    """Tell whether this has a line or a place of a row for itself, and no word in it ends like words of things."""
    if not _ENDS_FIELD.match(text, end, end + 8):
        return False
    opens = _OPENS_FIELD.search(text, max(0, start - 8), start) and _SIGN_AFTER.match(text, end)
    if not opens and not _IS_FIELD.search(text, max(0, start - 8), start):
        return False
    return not any(_OF_THINGS_ENDS.search(word) for word in text[start:end].split())


def _turned(text: str) -> Iterator[Hit]:
    """A surname, a comma and a given name: Moon, Ga-young."""
    last = -1
    for found in _COMMA.finditer(text):
        surname, given = _cased(found[1]), _cased(found[2])
        korean = surname in words_of.KOREAN_SURNAMES and _is_korean_given(given)
        listed = last >= 0 and text[last : found.start()] in (" and ", "; ", " & ", "\n")
        western = given in words_of.GIVEN and surname not in words_of.GIVEN
        if korean or (western and (listed or _is_only_surname(surname))):
            last = found.end()
            yield Hit("NAME", *found.span(), 40)


def _is_only_surname(word: str) -> bool:
    return (
        word in words_of.SURNAMES
        or "'" in word
        or "’" in word
        or ("-" in word and word[0].isupper())
        or word.startswith("Mc")
    )


def _with_initials(text: str) -> Iterator[Hit]:
    """An initial and a surname, where only people stand: Attendees: Hollis Barrow, P. Sandoval."""
    for found in _INITIALS.finditer(text):
        if found[1] in words_of.NOT_NAMES:
            continue
        if _is_among_people(text, *found.span()) or ROLE_BEFORE.search(
            text, max(0, found.start() - 20), found.start()
        ):
            yield Hit("NAME", *found.span(), 40)


def _told_of(text: str) -> Iterator[Hit]:
    """A given name alone, where somebody is to be asked or told: ask for Gemma."""
    for found in _ASKED.finditer(text):
        if found[1] in words_of.GIVEN and found[1] not in words_of.NOT_NAMES:
            yield Hit("NAME", *found.span(1), 40)
    for found in _WANTED.finditer(text):
        word = found[found.lastindex or 0]
        if word not in words_of.NOT_NAMES and not words_of.OF_COMPANIES.search(word):
            yield Hit("NAME", *found.span(found.lastindex or 0), 38)


def _in_letters(text: str) -> Iterator[Hit]:
    """Names that a letter begins or ends with: a given name after Dear, one line of a signature."""
    for found in _GREETED.finditer(text):
        name = found[1]
        # A line of its own greets somebody; a list has few of the names there are.
        alone = text.startswith(",\n", found.end()) and name not in _EVERYBODY and not name.isupper()
        known = name in words_of.MAYBE_GIVEN or alone
        if (
            name in words_of.GIVEN
            or _KOREAN_GIVEN.fullmatch(name)
            or (known and name not in words_of.NOT_NAMES)
        ):
            yield Hit("NAME", *found.span(1), 40)
    for found in _SIGNED.finditer(text):
        parts = found[1].split()
        listed = len(parts) > 1 or parts[0] in words_of.GIVEN or parts[0] in words_of.MAYBE_GIVEN
        if listed and not any(part in words_of.NOT_NAMES for part in parts[: max(1, len(parts) - 1)]):
            yield Hit("NAME", *found.span(1), 40)


DETECTORS = (
    Detector(r"[A-Z][a-zà-ɏ]{2}", _singles),
    Detector(r"[A-Z]\. ?[A-Z][a-zà-ɏ'’-]{2}", _with_initials, local=True),
    Detector(
        rf"{_ASKS}[A-Z]|{_MODAL} [A-Z][a-z]+ (?:please )?{_HUMAN}|{_CARERS} [A-Z]", _told_of, local=True
    ),
    Detector(r"[A-ZÀ-ÞĀ-Ɏ][A-Za-zà-ɏ'’-]+ (?:[A-Z]\. |[a-z]{2,3} ){0,2}[A-ZÀ-ÞĀ-Ɏ]", _pairs),
    Detector(r"[A-Z'’][a-zA-Z]+, [A-Z][a-zA-Z]", _turned, local=True),
    Detector(
        r"(?:Dear|Hi|Hello|Hey|Thanks|Thank you|Cheers),? [A-Z]|(?:egards|incerely|hanks|heers|est|ours|reetings|ishes|hank "
        r"you)[ ,.!]*\n+[A-Z]",
        _in_letters,
        local=True,
    ),
)
