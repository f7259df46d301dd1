# ruff: noqa: E501 - a list of words is read in one piece
"""English clauses that check or store what was made, or decline that: their words by class, and what they come to. Pure.

A clause counts only where every word of it is of a class: "keep it on record" stores it, "keep it short" says something else.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.requests.act_kinds import CHECK, DOCUMENT, STORE, Clause, Mood

_DATED = r"(?:today|now|yesterday|tonight|tomorrow|then|the (?:end|middle|start|\d)|end of|mid|last|this|next|\w+day|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|q[1-4]|\d)"
_COND = (
    r"(?:only\s)?(?:if|unless|once|when|whenever|as long as|so long as|provided(?: that)?|providing|assuming(?: that)?|on condition that"
    rf"|given that|(?:after|before|until|till)(?! {_DATED}\b)|should (?=it|they|there|the|that|this|everything|nothing))\b"
)
_REASON = r"(?:because|since|as|for|so that|in case) (?:i|i'm|i'd|i've|we|we're|he|she|they|my|our)\b"
CUT = regex(
    rf",\s*(?:(?:and|but|then|so)\s+)*|\s+(?:and then|but then|and|but|then|so)\s+|\s[-–—]+\s|:\s+|(?:(?<=\bif so)|(?<=\bif yes)|(?<=\bif ok)|(?<=\bif clean)|(?<=\bif fine))\s+|\s+(?<!wait )(?<!see )(?<!me )(?<!know )(?<!check )(?<!out )(?<!confirm )(?<!control )(?<!only )(?={_COND}|{_REASON})"
)
"""The places between the clauses of a sentence."""
_READER = r"(?:i|i'd|i'll|i've|we|we'd|we'll|he|she|they|legal|finance|compliance|somebody|someone|let me|let us|(?:my|our|the|his|her|their) [a-z]+)"
_READS = r"(?:read|see|look|review|check|approve|sign|decide|think|discuss|talk|go over|comment|edit|proofread|correct|ask|hear|show)"
EXPLAINS = regex(
    rf"(?:once|after|until|till|when|before) (?:i|i've|we|we've|he|she|they|my|our|the)\b|{_REASON}"
    r"|(?:i'm|we're|it's|this is) (?:only|just|still) (?:drafting|testing|trying|playing|experimenting|practising|a draft|a test|rough)\b.*"
    rf"|{_READER} (?:\S+ ){{0,6}}?{_READS}\b(?: \S+){{0,5}}\s*\Z"
)
"""The begin of a clause that says until when, or why, the act before it is declined."""
SUPPOSES = regex(rf"(?:and\s|but\s|then\s)*{_COND}")
_REPORTS = (
    r"(?:just |please |then |and |only |do |instead )*(?:tell me|tell us|let me know|let us know|say so|say|flag (?:it|that|them)|show me|point (?:it|that|them) out"
    r"|list (?:it|them)|explain|ping me|warn me|report back|report it|come back to me|ask me)(?: (?:what's|what|which|why|where|when|about|it|it's|that|is|was|wrong|off|first|instead|so|me|the|a|problems?|issues?|rules?|findings?|violations?|and|stop|please|then|there|before|anything|you|do|does|broken?|breaks?))*"
)
REPORTS = regex(_REPORTS)
"""A clause that wants no more than to hear of it."""
_TOLD_OTHERWISE = regex(
    rf"(?:and |then |but )*(?:otherwise|if not|or else|if it doesn't|if it isn't),? (?:{_REPORTS})"
)
_CLASSES: dict[str, str] = {
    "phrase": (
        r"after (?:that|this)|(?:once|when|after) (?:that's|it's|that is|it is|you're|you are|this is|all is|everything is)(?: all)? (?:done|ready|finished|written"
        r"|complete)|(?:once|when) (?:done|ready|finished)|for (?:me|us|now|good|later(?: use)?|safekeeping|reference|the moment|the time being|this time)"
        r"|at (?:all|this point|the end|the same time)|(?:don't|do not|never) forget to|(?:be|make) sure to|remember to|go ahead"
        r"|leave (?:it|that|this|them)(?=\s*\Z|,)|leave (?:it|that|this|them)(?: exactly)? (?:as (?:it is|is|they are|it stands)|alone|be|there|at that)|(?:that's|that is|that will be|that'll be) (?:it|all|enough|plenty)"
        r"|(?:then |and |just )?(?:stop|stops|end|pause|wait)(?: there| here| at that| for (?:my|our) (?:word|ok|okay|go-ahead|approval|signal))?|(?:do not|don't) go (?:any )?further(?: than (?:that|this))?|go no further|nothing (?:else|more)|no (?:more|further) than (?:that|this)"
        r"|whatever (?:the |its )?(?:result|outcome|verdict|answer)(?: is| may be)?|whatever (?:happens|comes out|it says)|(?:in any|in either) case|either way|under (?:any|no) circumstances|if not|otherwise|or else|after all"
        r"|if (?:it|that|they)(?:'s|'re| is| are) not(?=\s*\Z|,)|if (?:it|that|they) (?:doesn't|isn't|don't|aren't|didn't|wasn't)(?=\s*\Z|,)"
        r"|(?:they|he|she|(?:my|our|the) (?:\w+ )?\w+)(?: do| does| now| actually| really| still)* (?:wants?|needs?|would like|asks? for|asked for)"
        r"|as (?:it is|is|it stands)|as well|straight away|right away|(?:i|we) (?:want|need)|(?:i'd|i would|we'd|we would) like|let's|let us|(?:can|could|would|will) (?:you|someone|somebody)"
    ),
    "filler": (
        r"anywhere|somewhere|about|regarding|still|only|alone|instead|anyway|actually|oh|ah|hmm|well|lovely|perfect|excellent|nice|cool|sure|alright then|again|once more|job|step|part|please|kindly|just|now|then|also|too|first|next|finally|afterwards?|great|thanks|yes|yeah|and|but|so|want|like|the|an?|to|of|in|on|at|by|with|from|as|or|is|are"
        r"|be|being|been|there|all|any|every|each|some|our|my|your|its|own|company|internal|house|corporate|me|us|you|they're|they|it's|that's|there's|anything's|something's|everything's|what's|has|have|had|does|do|did|was|were"
        r"|should|must|can|get|gets|got|for|through|past|against|over|whether|if|that|anything|something|quickly|immediately|up|yet|needs?|even"
    ),
    "wonder": (
        r"(?:should|shall|must|may|might|can|could|do|did|will) (?:i|we)|(?:did|have|has|had|do) you|where|why|what|how|who|which|when"
    ),
    "never": (
        r"(?:is |are )?(?:not|n't) (?:really |strictly )?(?:necessary|needed|required|wanted|called for|to be)|(?:isn't|aren't|won't be)(?: really)? (?:necessary|needed"
        r"|required|wanted|to be)|can wait|unnecessary|(?:doesn't|don't|does not|do not) (?:have|need) to be|can stay out|comes|happens|waits|(?:has|have) to wait|must wait|should wait|is for later|not yet|never"
    ),
    "unstored": (r"un(?:saved|stored|archived|filed|recorded)"),
    "subject": (r"(?:i|we|they|he|she)(?! (?:want|need|would|'d|have|will))"),
    "neg": (
        r"(?:there's |there is )?no (?:need|reason) (?:to|for)|no point (?:in|to)|no|not|never ?mind|never|don't(?: you dare| bother)?|do not(?: bother)?|doesn't|does not|needn't|need not|isn't|aren't|won't|without|nothing's|nothing"
        r"|none|nowhere|nobody asked you to|nobody (?:wants|needs)|hold(?:ing)? off(?: on| with)?|skip(?:ping)?|leave (?:out|off|aside)|leave|avoid|refrain from"
        r"|forget(?: about)?|wait(?:ing)?(?: with| before| on)?(?: you| i)?|rather not|instead of|rather than|out of|off(?= the)|drop|stop|spare (?:me|us)|pass on"
        r"|(?:i'd|i would) rather not|(?:i|we) (?:don't|do not|didn't) (?:want|need|like)"
    ),
    "self": (
        r"i'll|i will|(?:i'm|i am|we're|we are) going to|we'll|we will|we won't be|we can|i can|(?:my|our|the|his|her|their) \w+(?: \w+)?(?:'ll| will| is going to"
        r"| wants to| plans to)|(?:he|she|they|someone|somebody|compliance|legal|finance)(?:'ll| will)|myself|ourselves|by hand|(?:up )?to me|on me|my (?:job|part|business|task)"
        r"|later(?: on)?|another time|some other time|tomorrow|next (?:week|time|month)|comes? later|let me(?! know)"
    ),
    "open": (
        r"(?:(?:i'm|i am|we're|we are) )?(?:not sure|unsure|undecided)(?: yet)?|(?:(?:i|we) )?(?:haven't|have not|didn't)(?: yet)? decided?(?: yet)?"
        r"|(?:tell|let) you(?: know)?|i wonder|decide"
    ),
    "cond": (_COND),
    "done": (
        r"already|(?:i|we) already|has been|have been|had been|i've|we've|(?:i|we|they) have|done|finished|(?:compliance|legal|he|she) has"
    ),
    "dest": (
        r"(?:(?:on|in|into|to|onto|with|inside) |(?<=off )|(?<=out of ))(?:(?:the|our|my|company|shared|a|central) ){0,2}(?:file(?! it| them| this| that| the)|files"
        r"|records?(?! it| them| this| that| the)|archives?(?! it| them| this| that| the)|storage|database|repository|library|filing cabinet|document store|system)"
    ),
    "store": (
        r"sav(?:e|es|ing)|stor(?:e|es|ing)|archiv(?:e|es|ing)|fil(?:e|ing)|log(?:ging)?|record(?:ing)?(?= it| them| this| that| the)|persist|(?:keep|keeping|retain) (?:a|one|the) copy(?: of)?"
    ),
    "stored": (r"saved|stored|archived|filed|logged"),
    "aside": (r"away|(?:a |one |the )?cop(?:y|ies)(?: of)?|for the record"),
    "put": (
        r"go(?:es)?|ends? up|lands?|ended up|make it(?= into| to)|put|place|stick|pop|add|enter|upload|move|load|deposit|stow|tuck|keep(?:ing)?|kept"
    ),
    "check": (
        r"check(?:s|ed|ing)?|control(?:s|led)?|vet(?:ted|ting)?|review(?:s|ed|ing)?|verif(?:y|ied|ying)|validat(?:e|ed|ing|ion)|screen(?:ed|ing)?|audit(?:ed|ing)?|inspect(?:ed)?|examin(?:e|ed)"
        r"|assess(?:ed)?|evaluat(?:e|ed)|go(?:ing)? over|look(?:s|ed|ing)?(?: for| at)?|run(?:ning)?|test(?:ed)?"
    ),
    "see": (
        r"let (?=compliance)|confirm|ensure|make sure|making sure|see(?: to it)?|tell me|let me know|find out|give|conduct|perform|carry out|do|say"
    ),
    "norm": (
        r"(?:the|a|another|one) (?:quick |final |full )?(?:check|review)(?! (?:it|them|this|that|the))|respect(?:s|ed|ing)?|compliance|compliant|compl(?:y|ies|ying)|conform(?:s|ing)?|rules?|rulebook|polic(?:y|ies)|regulations?|regulatory|guidelines?|code(?: of conduct)?|laws?|legal|limits?"
        r"|standards?|in line|within|meets?|by the book|allowed|permitted"
    ),
    "trouble": (
        r"turns? up|comes? up|pops? up|shows? up|flag(?:s|ged)?|amiss|off(?! (?:the|on|with|storing|saving))|concerns?|trouble|doubts?|findings?|violat\w+|breach\w*|break(?:s|ing)?|broke|broken|(?:goes|go|going|went|is|are|was|were) against|conflicts?|problems?|issues?|wrong|objections?|objects"
        r"|over the limits?|exceed\w*|red flags?|infring\w+|contraven\w+|fail(?:s|ed)?|non-?compliant"
    ),
    "clean": (
        r"if (?:so|yes|ok|it does|they do|it is|it's ok)(?=\s*\Z)|all is well|all's well|everything is well|in the clear|above board|clean|fine|pass(?:es|ed|ing)?|clears?|cleared|ok(?:ay)?|all right|alright|in order|happy|signs? off|signed off|approv(?:e|es|ed|al)|comes? back|came back|good|satisfied"
    ),
    "write": (
        r"(?:write|writing) (?:it|that|this|them) up|write|writing|draft(?:ing)?|mak(?:e|ing)|prepar(?:e|ing)|produc(?:e|ing)|creat(?:e|ing)|needed|necessary|required"
    ),
    "paper": (
        r"(?:(?:the|this|that|my|our|any|new|final|finished|latest|whole|sales) ){0,3}(?:reports?|documents?|papers?|memos?|write-ups?)"
    ),
    "object": (
        r"(?:all|any|some|none|parts?) of (?:it|that|this|them|those|these)|(?:it|this|that|them|these|those|everything|both)"
        r"|(?:(?:the|this|that|my|our|new|final|finished|latest|whole) ){0,2}(?:results?|versions?|figures?|numbers?|data|findings|analysis|table|outcome|output|draft|text|summary"
        r"|lot|thing|one)"
    ),
}
"""The words of each class; the longest that fits at a place counts, and of two as long the first."""
_PATTERNS = {kind: regex(rf"(?:{words})(?![\w'’])") for kind, words in _CLASSES.items()}
_PASSIVE = regex(r"\b(?:be|gets?|have|want|need|like|make sure|see)\b")
_ABOUT_STORING = regex(
    r"(?:but |and |as for )*(?:the |any |all )?(?:saving|storing|archiving|filing|storage)\b(?! (?:space|room|cost|temperature|condition))(?![^,]*\d)(?: [\w'-]+){1,10}\s*\Z"
)
"""A clause whose subject is the storing: storing it is something for Monday."""
COURTEOUS = regex(r"(?:and |then |but )*(?:can|could|would|will) (?:you|someone|somebody)\b")
_OTHERS = regex(r"(?:before|after|once|when|until|till) (?:i|we|he|she|they|my|our|the)\b")
BY_PERSON = regex(
    r"(?:and |but |then |only )*(?:once|after|when|if|until|till|as soon as|unless|provided(?: that)?) (?:(?:legal|finance|hr|audit|i|we|he|she|i've|we've|i'm|we're)\b"
    r"|(?:my|our|the|his|her) (?!(?:\w+ )?(?:check|review|rule|report|polic|compliance|result|verdict|document|guideline|code|limit|outcome|test|draft|figures?|numbers?))\w+)"
)
"""A condition that a person decides, not the check."""
_KEPT = regex(r"\b(?:kept|keep anything|keeping)\b(?! (?:it|them|this|that) (?:short|brief))")
_ALONE = regex(r"(?:please |then |and |just |also |now )*(?:check|vet)(?: please| too| as well)*")
_BARE = regex(r"\b(?:it|this|that|them|these|those)\b")
_GAP = regex(r"[\s\"“”().,]*")


_ALL = frozenset({"everything", "both"})


class _Word(NamedTuple):
    kind: str
    start: int
    end: int


def clause(text: str, start: int, end: int, *, asks: bool) -> Clause | None:
    """The meaning of a clause; None where a word of it is of no class, or where it neither checks nor stores anything. `asks`: its
    sentence ends with a question mark."""
    if _TOLD_OTHERWISE.fullmatch(text[start:end].strip(" .!")):
        return Clause(Mood.NEUTRAL, frozenset(), ())
    words = _words(text, start, end)
    if words is None:
        unclear = _ABOUT_STORING.match(text, start, end)
        return Clause(Mood.UNCLEAR, frozenset({STORE}), ()) if unclear else None
    if any(
        a.kind == "norm" and b.kind == "paper" for a, b in pairwise(words)
    ):  # a compliance report is a document
        return None
    # What breaks or keeps a rule is the subject of a question, not what is acted on: whether it breaks a rule.
    behind = [*(w.kind for w in words[1:]), ""]
    kept = tuple(
        (w.start, w.end)
        for w, after in zip(words, behind, strict=False)
        if w.kind == "paper"
        or (
            w.kind == "object"
            and text[w.start : w.end] not in _ALL
            and after not in ("trouble", "norm", "clean")
        )
    )
    if SUPPOSES.match(text, start) and words and words[0].kind != "phrase":
        return _condition(text, start, end, words, kept)
    kinds = {w.kind for w in words}
    if kinds <= {"phrase", "filler"} or kinds <= {"never", "neg", "filler"}:
        return Clause(Mood.NEUTRAL, frozenset(), kept)
    stores, checks = _stores(text, words, start, end), _checks(text, words)
    if stores:
        return _storing(
            text[start:end], words, kept, asks=asks and not COURTEOUS.match(text, start), checks=checks
        )
    bare = (
        kinds & {"self", "neg"}
        and "check" in kinds
        and kinds <= {"self", "neg", "check", "filler", "phrase", "object"}
    )
    if checks or bare:
        return _checking(words, kept)
    if kinds & {"paper", "write"} and not kinds & {"check", "see", "norm", "trouble", "wonder", "object"}:
        declined = kinds & {"never", "self"} or _at(words, "neg") < _at(words, "paper", "write")
        return Clause(Mood.DECLINED, frozenset({DOCUMENT}), ()) if declined else None
    return None


def _words(text: str, start: int, end: int) -> list[_Word] | None:
    """The words of a clause with their classes; None where one has none."""
    found: list[_Word] = []
    at = start
    while True:
        gap = _GAP.match(text, at, end)
        at = gap.end() if gap else at
        if at >= end:
            return found
        best: _Word | None = None
        for kind, pattern in _PATTERNS.items():
            match = pattern.match(text, at, end)
            if match and (best is None or match.end() > best.end):
                best = _Word(kind, at, match.end())
        if best is None:
            return None
        found.append(best)
        at = best.end


def _stores(text: str, words: list[_Word], start: int, end: int) -> bool:
    kinds = {w.kind for w in words}
    denied = kinds & {"neg", "never"}
    if "unstored" in kinds or (denied and ("dest" in kinds or _KEPT.search(text, start, end))):
        return True
    passive = "stored" in kinds and (kinds & {"neg", "never", "done"} or _PASSIVE.search(text, start, end))
    return "store" in kinds or bool(passive) or {"put", "dest"} <= kinds or {"put", "aside"} <= kinds


def _checks(text: str, words: list[_Word]) -> bool:
    kinds = {w.kind for w in words}
    if _ALONE.fullmatch(text[words[0].start : words[-1].end]):
        return True
    if kinds & {"norm", "trouble"} or any(text.startswith("compliance", w.start) for w in words):
        return True
    things = [w for w in words if w.kind in ("object", "paper")]
    verb = next((text[w.start : w.end] for w in words if w.kind == "check"), "")
    bare = bool(things) and (things[0].kind == "paper" or bool(_BARE.fullmatch(text, *things[0][1:])))
    return bare and verb.startswith(("check", "vet")) and "write" not in kinds


def _at(words: list[_Word], *kinds: str) -> int:
    return min((at for at, w in enumerate(words) if w.kind in kinds), default=len(words))


_SHOULD = regex(r"\b(?:should|must|need|want|can)\b")


def _storing(
    said: str, words: list[_Word], kept: tuple[tuple[int, int], ...], *, asks: bool, checks: bool
) -> Clause | None:
    kinds = {w.kind for w in words}
    task = _at(words, "store", "stored", "dest", "aside")
    declined = kinds & {"never", "self", "open", "done", "unstored"} or _at(words, "neg") < task
    if "subject" in kinds and not declined:  # somebody else stores it; we should store it is left to its form
        return None if _SHOULD.search(said) else Clause(Mood.DECLINED, frozenset({STORE}), ())
    acts = frozenset({STORE, CHECK}) if checks else frozenset({STORE})
    if declined:
        return Clause(Mood.DECLINED, acts, ())
    if asks or checks or kinds & {"neg", "wonder", "write"}:
        return None
    return Clause(Mood.ORDERED, acts, kept)


def _checking(words: list[_Word], kept: tuple[tuple[int, int], ...]) -> Clause | None:
    kinds = {w.kind for w in words}
    if kinds & {"put", "dest", "wonder", "write"} - ({"put"} if "norm" in kinds else set()) - (
        {"write"} if kinds & {"neg", "never"} else set()
    ):
        return None
    task, neg = _at(words, "check", "see"), _at(words, "neg")
    if kinds & {"never", "self", "done", "open", "subject"} or (neg < task < len(words)):
        return Clause(Mood.DECLINED, frozenset({CHECK}), ())
    if task == len(words) and {"neg", "norm"} <= kinds <= {"neg", "norm", "filler", "phrase"}:
        return Clause(Mood.DECLINED, frozenset({CHECK}), ())  # no check
    if len(words) > 1 and (
        neg < task or (task == len(words) and not kinds & {"object", "paper", "trouble", "put"})
    ):
        return None
    return Clause(Mood.ORDERED, frozenset({CHECK}), kept)


def _condition(
    text: str, start: int, end: int, words: list[_Word], kept: tuple[tuple[int, int], ...]
) -> Clause | None:
    """The meaning of a clause that begins with if, unless, once, before …"""
    kinds = {w.kind for w in words}
    stores, checks = _stores(text, words, start, end), bool(kinds & {"check", "norm", "trouble", "clean"})
    said = text[start:end]
    if "before" in said.split():
        own = _OTHERS.search(said) is None and not kinds & {"self", "neg", "never"}
        return Clause(Mood.ORDERED, frozenset({STORE}), kept) if stores and own else None
    if stores or not checks or BY_PERSON.match(said) or {"until", "till"} & {*said.split()}:
        return None
    denied = sum(w.kind in ("neg", "never") for w in words) + said.startswith(
        ("unless", "but unless", "and unless")
    )
    bad = "trouble" in kinds
    if bad == bool(denied % 2):
        return Clause(Mood.CLEAN, frozenset({CHECK}), ())
    return Clause(Mood.TROUBLE, frozenset({CHECK}), ())


_THEN = regex(
    r"[\s,]+(?=(?:you (?:can |may |should )?|just |please |then |do |kindly )*(?:tell me|let me know|say so|flag|show me|store|save|file|archive|don't|do not|leave|stop|skip|hold|keep|put)\b)"
)
_JUDGES = regex("|".join(_CLASSES[kind] for kind in ("trouble", "clean", "norm")))


def halves(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A clause in its condition of a verdict and what follows from it, where no comma parts them: if it's clean store it."""
    if SUPPOSES.match(text, start):
        for then in _THEN.finditer(text, start, end):
            if _JUDGES.search(text, start, then.start()):
                return [(start, then.start()), (then.end(), end)]
    return [(start, end)]
