"""References: words that stand for things which earlier turns showed or named, resolved to exactly these things."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from metaagent.language.patterns import compiled, regex
from metaagent.level1.query_analyzer.domain import Term
from metaagent.level1.query_analyzer.grammar.meaning import Node, Restriction
from metaagent.level1.query_analyzer.grammar.terms import TIMES, Terms

Plain = dict[str, Any]
_NUMBERS = {
    "한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10, "둘": 2, "셋": 3, "넷": 4,
    "첫": 1, "일": 1, "이": 2, "삼": 3, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "top": 1, "both": 2,
}  # fmt: skip
_MANY_KO = r"두|세|네|다섯|여섯|일곱|여덟|아홉|열|\d{1,2}"
_MANY_EN = r"two|three|four|five|six|seven|eight|nine|ten|\d{1,2}"
_PEOPLE = frozenset(
    {
        "사람",
        "분",
        "친구",
        "애",
        "녀석",
        "걔",
        "얘",
        "he",
        "she",
        "him",
        "his",
        "her",
        "person",
        "guy",
        "people",
        "rep",
    }
)
_ANY = frozenset({"곳", "데", "군데", "place", "거", "것", "건", "게", "걸", "one", "명", "개", "업체"})
"""Nouns that name no kind of thing."""


@dataclass(frozen=True)
class Reference:
    """Words that point, and how: at the one, at several, at a place of the list, at the others, or at whatever it was."""

    start: int
    end: int
    form: str
    """one, several, of, place, rest or it."""
    first: int = 0
    """place: counted from the front; below zero from the end."""
    size: int = 0
    """How many are meant; 0: not said."""
    kinds: frozenset[str] = frozenset()
    """The kinds of things that the words can mean; empty: any."""


@dataclass(frozen=True)
class Things:
    """Some things of one kind, in the order in which they were shown or named."""

    dimension: str
    keys: tuple[str, ...]
    labels: tuple[str, ...]
    by_key: bool
    listed: bool
    """Shown as rows, rather than named as a limit."""
    whole: bool = True

    def some(self, keys: slice) -> Things:
        return Things(self.dimension, self.keys[keys], self.labels[keys], self.by_key, self.listed)

    def node(self, *, negated: bool = False) -> Node:
        limit = Restriction(self.dimension, self.keys, self.by_key, negated, labels=self.labels)
        return Node("F", filters=(limit,))


@dataclass(frozen=True)
class Bound:
    """A reference with the things that it means; None: it could not be told which."""

    reference: Reference
    things: Things | None


def _names_things(term: Term) -> bool:
    return not term.measured and not term.time and term.subtype not in ("number", "date")


def _labels(terms: Terms) -> tuple[list[str], list[str]]:
    said = {
        label.lower()
        for name, term in terms.dimensions.items()
        if name not in TIMES and _names_things(term)
        for label in term.labels
        if label and label.lower() not in TIMES
    }
    korean = {word for word in said if "가" <= word[0] <= "힣" and not word.endswith("별")}
    english = {word.removesuffix("s") for word in said if "a" <= word[0] <= "z"}
    return sorted(korean, key=len, reverse=True), sorted(english, key=len, reverse=True)


@lru_cache(maxsize=32)
def _grammar(terms: Terms) -> re.Pattern[str]:
    """All words of both languages that point at things; each alternative is a named group."""
    korean, english = (list(map(re.escape, words)) for words in _labels(terms))
    ko = "|".join(
        (*korean, "사람", "분", "친구", "애들?", "곳", "군데", "데", "거", "것", "건", "게", "걸", "업체")
    )
    kind_ko = "|".join((*korean, "사람", "곳", "군데", "업체"))
    en = "|".join((*english, "one", "person", "guy", "place", "rep"))
    among = r"(?:\s?(?:중|가운데)(?:에서?는?|에는?|엔|서)?(?![가-힣]))?"
    return compiled(
        # Korean
        rf"(?<![가-힣])(?P<of_ko>(?:그|이|저|여기|거기|걔네|얘네)\s?(?:중|가운데)(?:에서?는?|에는?|엔|서)?(?![가-힣]))"
        rf"|(?<![가-힣])(?P<rest_ko>(?:그\s)?나머지(?:\s?(?P<rest_kind_ko>{kind_ko})들?)?"
        rf"|그\s?(?:외|밖)(?:의|에)?\s?(?P<rest_kind_ko2>{kind_ko})들?)"
        rf"|(?<![가-힣])(?P<several_ko>(?:(?:방금|아까|위에|앞에|위|앞)\s?(?:나온|말한|본|보여준|있는)?\s?)?(?:그|이|저|해당|같은)\s?"
        rf"(?:(?P<several_kind_ko>{ko})들|(?P<several_n_ko>{_MANY_KO})\s?(?P<several_counted_ko>{kind_ko}|명|개|팀))"
        rf"|(?:방금|아까|위에|앞에)\s?(?:나온|말한|본|보여준|있는)\s?(?P<several_kind_ko2>{ko})들?"
        rf"|(?:걔|얘|쟤)네(?:들)?|거기들|(?:그|이)들(?=[은이의을도만]|\s)|(?:그|이)것들"
        rf"|(?P<all_n_ko>{_MANY_KO}|둘|셋|넷)\s?(?:(?P<all_kind_ko>{kind_ko}|명|개|팀)\s?)?(?:다|모두|전부)(?=[\s?.!]|\Z)){among}"
        rf"|(?<![가-힣\d])(?P<place_ko>(?:위에서\s|아래에서\s)?(?:(?P<nth_ko>\d{{1,2}})\s?(?:위|등|번\s?째|번)|(?P<word_ko>첫|두|세|네|다섯)\s?번\s?째"
        rf"|(?P<rank_ko>일|이|삼)등|(?P<low_ko>꼴찌|꼴등|최하위)|(?:제일|맨)\s?(?P<edge_ko>위|아래|앞|뒤|마지막|처음)(?:에)?|(?P<last_ko>마지막)(?=\s?(?:{ko}))"
        rf"|(?:제일|가장)\s?(?:(?P<most_ko>많은|높은|큰|좋은)|(?P<least_ko>적은|낮은|작은|나쁜))(?=\s(?:{kind_ko})))"
        rf"(?:인|에\s?있는|한)?(?:\s?(?P<place_kind_ko>{ko})(?!별))?)(?!까지|부터|\s?이내|\s?안에)"
        rf"|(?<![가-힣])(?P<one_ko>(?P<there_ko>거기|거긴|그곳)|(?P<who_ko>걔|얘|걘|얜)(?!네)|(?:그|이|해당|같은)\s?(?P<one_kind_ko>{kind_ko}|분|친구)(?!들|별))"
        r"|(?<![가-힣])(?P<it_ko>(?:그거|그것|그걸|그게|그건|이거|이게|이걸|이건))"
        # English
        r"|(?<![a-z])(?P<of_en>(?:out of|of|among|amongst|from|within) (?:them|those|these)(?: (?P<of_n_en>two|three|four|five|six|ten|\d{1,2}))?(?! who| that| which| with)(?![a-z]))"
        rf"|(?<![a-z])(?P<rest_en>(?:all )?the (?:rest(?: of (?:them|those|the (?P<rest_kind_en>{en})s?))?|others|(?:other|remaining)(?: (?:{_MANY_EN}))?"
        rf" (?P<rest_kind_en2>{en})s?)(?![a-z])|everyone else|everything else)"
        rf"|(?<![a-z])(?P<place_en>(?:the )?(?:(?P<nth_en>first|second|third|fourth|fifth|last|top|bottom|(?:best|biggest|largest|highest|worst|smallest|lowest)(?= one))(?:[- ](?:placed?|ranked|best))?"
        rf"(?:(?<!top)(?<!bottom) (?P<size_en>{_MANY_EN})(?! (?:day|week|month|quarter|year))(?: (?P<sized_kind_en>{en})s?)?(?: of (?:them|those|these))?"
        rf"| (?P<place_kind_en>{en})(?: of (?:them|those|these))?)|(?:number|no\.?|#) ?(?P<number_en>one|two|three|four|five|\d{{1,2}}))"
        r"(?:'s|’s)?(?! by | in terms)(?![a-z]))"
        rf"|(?<![a-z])(?P<several_en>(?:(?:both|all|each|any)(?: one)? of |all )?(?:they|them|their|theirs|(?:those|these|(?:the )?same|the above)(?: (?P<several_n_en>{_MANY_EN}))?"
        rf" (?P<several_kind_en>{en})s|(?:those|these)(?: (?P<several_n_en2>{_MANY_EN}))?(?! who| that| which| with| of)"
        rf"|the (?P<several_n_en3>{_MANY_EN})(?: of (?:them|those|these)|(?: (?P<several_kind_en2>{en})s)?(?=[?.!,]|\Z| (?:above|combined|together|from|you)))"
        rf"|the (?P<several_kind_en3>{en})s (?:above|from (?:before|earlier)|(?:that )?(?:you|we) (?:just )?(?:listed|showed|mentioned|saw|had)))(?:'s|’s|’|')?(?![a-z])"
        r"(?: from (?:before|earlier))?|both(?: of them)?(?! (?:and|[a-z]+ and))(?![a-z]))"
        rf"|(?<![a-z])(?P<one_en>(?P<who_en>he|she|him|his|her)(?:'s|’s)?|(?<!is )(?<!are )(?<!was )(?<!were )(?P<there_en>there)(?! (?:is|are|was|were|have|has|been))"
        rf"|(?:that|this|the same|said) (?P<one_kind_en>{en})(?:'s|’s)?)(?![a-z])"
        r"|(?<![a-z])(?P<it_en>it|its)(?:'s|’s)?(?![a-z'’])"
    )


_IDLE = regex(
    r"(?<![a-z])(?:(?:is|was) it (?:possible|ok|okay|true|right|correct|fair|that)|it (?:is|was|seems|looks|comes|would be)"
    r"|(?:make|do|get|keep|see|show|call|take|put|let|break|split|sort) it|(?:those|these|them) (?:who|that|which|with|of))(?![a-z])"
)
"""Words of the language that look like references."""


_VISITED = regex(r"(?<![a-z])(?:visit(?:s|ed|ing)?|call(?:s|ed)? on|s[ae]en?) \Z")
"""Customers are visited, whatever else was listed."""


def found(text: str, terms: Terms) -> list[Reference]:
    """The references of a question, in their order."""
    idle = [m.span() for m in _IDLE.finditer(text)]
    return [
        _read(match, terms)
        for match in _grammar(terms).finditer(text)
        if not any(a <= match.start() and match.end() <= b for a, b in idle)
    ]


def _read(match: re.Match[str], terms: Terms) -> Reference:
    said = {name.rstrip("0123456789"): text for name, text in match.groupdict().items() if text}
    forms = ("of", "rest", "place", "several", "one", "it")
    form = next(form for form in forms if f"{form}_ko" in said or f"{form}_en" in said)
    noun = next((said[name] for name in said if "kind_" in name or "counted_" in name), "")
    kinds = _kinds(noun, terms) if noun else frozenset[str]()
    if any(name in said for name in ("who_ko", "who_en")):
        kinds = _people(terms)
    if not kinds and form in ("several", "it") and _VISITED.search(match.string, 0, match.start()):
        kinds = frozenset({str(terms.domain.entity_dimensions.get("organisation"))} & {*terms.dimensions})
    size = next((_number(said[name]) for name in said if "_n_" in name or name == "size_en"), 0)
    if form == "several" and match[0].startswith("both"):
        size = 2
    first = _place(said) if form == "place" else 0
    return Reference(match.start(), match.end(), form, first, size or (form == "place"), kinds)


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word]


def _place(said: Mapping[str, str]) -> int:
    for name in ("nth_ko", "word_ko", "rank_ko", "number_en"):
        if name in said:
            return _number(said[name])
    if said.get("nth_en") in _LOW or {"low_ko", "last_ko", "least_ko"} & {*said}:
        return -1
    if "edge_ko" in said:
        return 1 if said["edge_ko"] in ("위", "앞", "처음") else -1
    return _NUMBERS.get(said.get("nth_en", ""), 1)


_LOW = frozenset({"last", "bottom", "worst", "smallest", "lowest"})


def _people(terms: Terms) -> frozenset[str]:
    return frozenset({terms.person} if terms.person else ())


def _kinds(noun: str, terms: Terms) -> frozenset[str]:
    """The kinds of things that a noun names: a label of the model, people, or places."""
    if noun in _PEOPLE:
        own = {
            n
            for n, t in terms.dimensions.items()
            if noun in {label.lower().removesuffix("s") for label in t.labels}
        }
        return frozenset(own) or _people(terms)
    if noun in _ANY:
        return frozenset()
    return frozenset(
        name
        for name, term in terms.dimensions.items()
        if name not in TIMES
        and noun
        in {form for label in term.labels for form in (label.lower(), label.lower().removesuffix("s"))}
    )


def spoken_of(turn: Mapping[str, Any]) -> Iterator[Things]:
    """The things of a turn: those that it listed, those that it was limited to, and these with the ones before them."""
    for one in turn.get("shown") or ():
        if one["dimension"] not in TIMES and one["keys"]:
            keys, labels = tuple(one["keys"]), tuple(one["labels"])
            yield Things(one["dimension"], keys, labels, bool(one["by_key"]), True, bool(one["whole"]))
    request: Mapping[str, Any] = turn.get("semantic_request") or {}
    sides = [one["numerator"] for one in request.get("derived") or ()]
    held = [f for part in (request, *sides) for f in part.get("filters") or () if f.get("op") == "in"]
    limits = [_limit(f, turn) for f in held if "dimension" in f]
    yield from limits
    for one in limits:
        before = [_limit(f, turn) for f in turn.get("replaced") or () if f.get("dimension") == one.dimension]
        every = {
            key: label for each in (*before, one) for key, label in zip(each.keys, each.labels, strict=True)
        }
        if len(every) > len(one.keys):
            yield Things(one.dimension, tuple(every), tuple(every.values()), one.by_key, False)


def _limit(item: Mapping[str, Any], turn: Mapping[str, Any]) -> Things:
    resolved: Mapping[str, Any] = turn.get("resolved") or {}
    names = {
        str(value): str(label)
        for f in resolved.get("filters") or ()
        for value, label in zip(f.get("values") or (), f.get("labels") or (), strict=False)
    }
    keys = tuple(map(str, item["values"]))
    labels = tuple(names.get(key, key) for key in keys)
    return Things(str(item["dimension"]), keys, labels, bool(item.get("by_key")), False)


def bound(text: str, previous: Mapping[str, Any] | None, terms: Terms) -> list[Bound]:
    """The references of a question with what they mean in the turns before."""
    turns = [previous, *reversed(previous.get("earlier") or ())] if previous else []
    spoken = [list(spoken_of(turn)) for turn in turns]
    pointed = frozenset(map(str, (previous or {}).get("pointed") or ()))
    return [Bound(one, _resolved(one, spoken, pointed)) for one in found(text, terms)]


def _resolved(
    reference: Reference, turns: Sequence[Sequence[Things]], pointed: frozenset[str]
) -> Things | None:
    """What is named by its kind, and a place of a list, may lie further back; a pronoun means the turn before. After one
    place of a list, another is one of the same list: `pointed`."""
    kinds = reference.kinds
    if reference.form == "place" and not kinds and turns and not any(_is_list(one) for one in turns[0]):
        kinds = pointed
    for number, turn in enumerate(turns):
        fitting = [things for things in turn if not kinds or things.dimension in kinds]
        if made := next((made for things in fitting if (made := _meant(reference, things))), None):
            return made
        if number == 0 and not kinds and reference.form != "place":
            return None
        if reference.form == "place" and any(things.listed for things in fitting):
            return None
    return None


def _is_list(things: Things) -> bool:
    return things.listed and len(things.keys) > 1


def _meant(reference: Reference, things: Things) -> Things | None:
    count = len(things.keys)
    if reference.form in ("one", "it"):  # it, where nothing was listed, is the figure
        return things if count == 1 and things.whole and (things.listed or reference.form == "one") else None
    if reference.form == "place":
        return _in_place(reference, things)
    if not things.whole:
        return None
    if reference.size and reference.size != count:
        return things.some(slice(reference.size)) if things.listed and count > reference.size else None
    return things if count > 1 or things.listed or reference.kinds else None


def _in_place(reference: Reference, things: Things) -> Things | None:
    count = len(things.keys)
    if not things.listed:
        return None
    if reference.first < 0:
        return things.some(slice(-reference.size, None)) if things.whole and count >= reference.size else None
    last = reference.first - 1 + reference.size
    return things.some(slice(reference.first - 1, last)) if last <= count else None
