"""Lists of the single rows that the turn before counted or added up: list them with date, hospital and amount, 건별로 보여줘."""

from __future__ import annotations

from metaagent.language.patterns import regex
from metaagent.level1.query_analyzer.follow_ups.pointing import Completed
from metaagent.level1.query_analyzer.grammar.meaning import Node
from metaagent.level1.query_analyzer.grammar.reading import Composed, terms_of
from metaagent.level1.query_analyzer.grammar.terms import Terms
from metaagent.level1.query_analyzer.reading import Plain, Reading

ROW_LIST = Node("T", dim="day", op="rows")
"""A list of rows, of which every word is accounted for."""
_ORDERS = regex(
    r"(?<![a-z])(?:(?:can you|could you|please|now|ok|okay|and|just)[,\s]+)*(?:list|show(?: me)?|give me|display|break out)"
    r" (?:each (?:one )?of |all of |all |every one of )?(?:them|those|these"
    r"|the (?:single |individual )?(?:items|entries|rows|records|details|cases))"
    r"(?: all| out| individually| one by one| line by line)*(?: (?:with|including|showing|by))?(?: (?:the|their|its))?(?![a-z])"
    r"|(?<![가-힣])(?:그\s?)?(?:상세\s?)?(?:목록|리스트|내역|명세)(?:을|를|도|으로|만)?\s?(?:좀\s)?(?:보여|뽑아|알려|정리해|나열해)\s?(?:줘|주세요|줄래|봐)?(?:요)?(?![가-힣])"
    r"|(?<![가-힣])(?:건별로|한\s?건씩|하나씩|전부|모두|다|쭉|쫙)?\s?(?:나열해|열거해|풀어서\s?보여)\s?(?:줘|주세요|줄래|봐)?(?:요)?(?![가-힣])"
    r"|(?<![가-힣])(?:건별로|한\s?건씩|하나씩)\s?(?:다\s)?(?:보여|뽑아|알려)\s?(?:줘|주세요|줄래|봐)?(?:요)?(?![가-힣])"
)
_DAYS = regex(
    r"(?<![a-z])(?:the )?(?:dates?|days?)(?![a-z])"
    r"|(?<![가-힣])(?:날짜|일자)(?:랑|이랑|하고|와|과|도|별로)?(?![가-힣])"
)
_JOINS = regex(
    r"(?:(?:with|and|plus|their|its|the|as well|too|include|including)"
    r"|(?:와|과|랑|이랑|하고|도|같이|함께|포함해서?|나오게|까지|넣어서?|이름)|[\s,&])*"
)
_FIXED = (
    "derived",
    "having",
    "count_groups",
    "comparison",
    "top",
    "among",
    "existence",
    "share",
    "running_total",
)


def rows_listed(reading: Reading, found: Composed, previous: Plain) -> Completed | None:
    """The rows of the figure before, one by one, with the columns that are asked for or by which rows are told apart."""
    text, terms = reading.source.text, terms_of(reading.context.domain, reading.context.vocabulary)
    order, metrics = _ORDERS.search(text), [str(m) for m in previous.get("metrics") or ()]
    if order is None or len(metrics) != 1 or metrics[0] not in terms.metrics or not terms.adds(metrics[0]):
        return None
    if previous.get("dimensions") or any(previous.get(key) for key in _FIXED):
        return None
    asked = _asked(text, found, order.span(), terms)
    count = terms.count_of(metrics[0])
    if asked is None or count is None or (terms.row_of(count) and not asked):
        return None
    figure = terms.money_of(metrics[0]) if terms.counts(metrics[0]) else metrics[0]
    own = [name for name in asked if all(terms.splits(m, name) for m in metrics)]
    if len(own) < len(asked):
        return None
    row = [str(terms.row_of(count))] if terms.row_of(count) else []
    columns = list(dict.fromkeys([*row, "day", *own])) if own else [*terms.listing(count)]
    limits = terms.limits_of(metrics[0]) if figure not in metrics else ()
    if limits:
        return None  # the figure counts some of the rows only
    query = {**previous, "metrics": [figure or metrics[0]], "dimensions": columns}
    query |= {"order": [{"column": "day", "descending": False}], "language": reading.language}
    return query, ROW_LIST, ["filters", "period", "rows"]


def _asked(text: str, found: Composed, order: tuple[int, int], terms: Terms) -> list[str] | None:
    """The kinds of things that are named beside the order; None where anything else is said."""
    days = [match.span() for match in _DAYS.finditer(text)]
    known = [order, *days]
    columns = ["day"] if days else []
    for piece in found.path:
        inside = any(a <= piece.start and piece.end <= b for a, b in known)
        if inside or not piece.nodes:
            continue
        things = [str(node.dim) for node in piece.nodes if node.cat == "T" and node.dim in terms.dimensions]
        plain = any(
            node.cat in ("AND", "ALSO", "MUCH", "EACH", "WITH", "BY", "M", "TOTAL") for node in piece.nodes
        )
        if not things and not plain:
            return None
        columns += things[:1]
    unread = [span for span in found.unread if not any(a <= span[0] and span[1] <= b for a, b in known)]
    return None if any(not _JOINS.fullmatch(text[slice(*span)]) for span in unread) else columns
