"""The SQL that the guard understands, as data: syntax nodes with the arguments they may carry, functions and
types.

Whatever is not written here is refused: a node, an argument or a function that a later sqlglot invents is
unknown until somebody has thought about it.
"""

from __future__ import annotations

_QUERY = "with_ order limit offset"

_SYNTAX = f"""
Select: {_QUERY} expressions distinct from_ joins where group having windows qualify
Union Intersect Except: {_QUERY} this expression distinct
Subquery: this alias
From Where Having Qualify Paren Not Neg: this
With: expressions
CTE: this alias
TableAlias: this columns
Table: this alias
Join: this on side kind using
Column: this table
Identifier: this quoted
Alias: this alias
Star Null:
Boolean: this
Literal: this is_string
Var: this
Distinct: expressions on
Tuple: expressions
Group: expressions all
Order: this expressions
Ordered: this desc nulls_first
Limit Offset: expression
And Or EQ NEQ GT GTE LT LTE Add Sub Mul NullSafeEQ NullSafeNEQ: this expression
Is: this expression negate
DPipe: this expression safe
Div: this expression typed safe
Mod: this expression
Like ILike: this expression negate
Escape: this expression
Between: this low high
In: this expressions query
Exists: this
Case: this ifs default
If: this true false
Cast TryCast: this to
DataType: this expressions nested
DataTypeParam: this
Interval: this unit
Window: this partition_by order spec alias over
WindowSpec: kind start start_side end end_side
Filter WithinGroup: this expression
IgnoreNulls RespectNulls: this
"""

# sqlglot's class: the names under which a policy may allow it.
_FUNCTIONS = """
Abs: abs
Avg: avg
Ceil: ceil
Coalesce: coalesce
Concat: concat
Corr: corr
Count: count
CumeDist: cume_dist
CurrentDate: current_date
Date: date
DateTrunc TimestampTrunc: date_trunc
Datetime: datetime
Day: day
DenseRank: dense_rank
Exp: exp
Extract: extract
FirstValue: first_value
Floor: floor
Greatest: greatest
GroupConcat: group_concat string_agg
Lag: lag
LastValue: last_value
Lead: lead
Least: least
Left: left
Length: length
Ln: ln
Lower: lower
Max: max
Median: median
Min: min
Month: month
Ntile: ntile
Nullif: nullif
PercentRank: percent_rank
PercentileCont: percentile_cont
PercentileDisc: percentile_disc
Pow: power
Quarter: quarter
Rank: rank
Replace: replace
Right: right
Round: round
RowNumber: row_number
Sign: sign
Sqrt: sqrt
Stddev StddevPop StddevSamp: stddev
StrPosition: position
Substring: substring
Sum: sum
TimeToStr: strftime
Trim: trim
Upper: upper
Variance VariancePop: variance
Year: year
"""

TYPES = frozenset(
    [
        "BIGDECIMAL",
        "BIGINT",
        "BOOLEAN",
        "CHAR",
        "DATE",
        "DATETIME",
        "DECIMAL",
        "DOUBLE",
        "FLOAT",
        "INT",
        "INTERVAL",
        "NCHAR",
        "NVARCHAR",
        "SMALLINT",
        "TEXT",
        "TIME",
        "TIMESTAMP",
        "TIMESTAMPNTZ",
        "TIMESTAMPTZ",
        "TINYINT",
        "VARCHAR",
    ]
)

# sqlglot puts these round an argument of a function above; they print nothing of their own.
TRANSPARENT = frozenset(("TsOrDsToTimestamp", "TsOrDsToDate"))


def _read(table: str) -> dict[str, frozenset[str]]:
    rows = (line.partition(":") for line in table.strip().splitlines())
    return {name: frozenset(right.split()) for left, _, right in rows for name in left.split()}


SYNTAX = _read(_SYNTAX)
FUNCTIONS = _read(_FUNCTIONS)
