"""Messages of the compiler for questions that do not fit the model."""

from __future__ import annotations

from metaagent.errors import Text

UNKNOWN_METRIC = Text(
    en="There is no metric '{name}'. {hint}",
    ko="지표 '{name}'이(가) 없습니다. {hint}",
)
UNKNOWN_DIMENSION = Text(
    en="There is no dimension '{name}'. {hint}",
    ko="차원 '{name}'이(가) 없습니다. {hint}",
)
UNKNOWN_COLUMN = Text(
    en="The result has no column '{name}'. Use one of: {known}.",
    ko="결과에 '{name}' 열이 없습니다. 다음 중에서 고르세요: {known}.",
)
NOT_SPLIT = Text(
    en="'{metric}' cannot be split or filtered by '{dimension}': one row of '{fact}' does not belong to one "
    "{dimension}. Leave '{dimension}' out, or ask for another metric.",
    ko="'{metric}'은(는) '{dimension}'(으)로 나누거나 거를 수 없습니다. "
    "'{fact}' 한 행이 하나의 {dimension}에 속하지 않습니다. "
    "'{dimension}'을(를) 빼거나 다른 지표로 물어보세요.",
)
NO_TIME = Text(
    en="'{metric}' has no date, so it cannot be split by {grain} or compared over time. Leave that out.",
    ko="'{metric}'에는 날짜가 없어 {grain}별로 나누거나 기간을 비교할 수 없습니다. 그 부분을 빼세요.",
)
TOO_FINE = Text(
    en="'{metric}' exists per {own} only: ask by {own} or coarser instead of by {grain}.",
    ko="'{metric}'은(는) {own} 단위로만 있습니다. {grain} 대신 {own} 이상의 단위로 물어보세요.",
)
PERIOD_IGNORED = Text(
    en="'{metric}' has no date: the period was not applied to it.",
    ko="'{metric}'에는 날짜가 없어 기간을 적용하지 않았습니다.",
)
NEEDS_PERIOD = Text(
    en="A comparison needs a period with a start and an end. Give both.",
    ko="비교하려면 시작일과 종료일이 있는 기간이 필요합니다. 기간을 지정하세요.",
)
NEEDS_TIME = Text(
    en="A running total or moving average needs a time dimension: add day, week, month, quarter or year.",
    ko="누계나 이동 평균에는 시간 차원이 필요합니다. 일, 주, 월, 분기, 연도 중 하나를 추가하세요.",
)
NOT_ADDITIVE = Text(
    en="'{metric}' is not a sum or a count, so a {what} of it has no meaning. Use a metric that adds up.",
    ko="'{metric}'은(는) 합계나 건수가 아니어서 {what}을(를) 구할 수 없습니다. 더할 수 있는 지표를 쓰세요.",
)
NO_TARGET = Text(
    en="None of {metrics} has a target. Metrics with a target: {known}.",
    ko="{metrics}에는 목표가 없습니다. 목표가 있는 지표: {known}.",
)
BAD_VALUE = Text(
    en="'{value}' is not a value for '{dimension}', which is {kind}. Give {example}.",
    ko="'{value}'은(는) {kind}인 '{dimension}'의 값이 아닙니다. {example} 형식으로 쓰세요.",
)
NEEDS_VALUES = Text(
    en="The filter '{op}' on '{dimension}' needs {count} value(s), but got {got}.",
    ko="'{dimension}'의 '{op}' 조건에는 값이 {count}개 필요한데 {got}개가 주어졌습니다.",
)
NO_KEY = Text(
    en="'{dimension}' has no key: filter it by name.",
    ko="'{dimension}'에는 key가 없습니다. 이름으로 거르세요.",
)
TOP_NEEDS_ONE = Text(
    en="'Others' sums up the rest of one dimension: say which of {dimensions} is ranked.",
    ko="'기타'는 한 차원의 나머지를 합칩니다. {dimensions} 중 무엇의 순위인지 정하세요.",
)
TOP_NEEDS_DIMENSION = Text(
    en="A ranking needs a dimension to rank, and a metric to rank by.",
    ko="순위를 매기려면 대상 차원과 기준 지표가 필요합니다.",
)
MANY_BRIDGES = Text(
    en="'{metric}' by '{dimension}' could go through {tables}. Ask for a metric of one of them.",
    ko="'{dimension}'별 '{metric}'은(는) {tables} 중 무엇을 거치느냐에 따라 "
    "달라집니다. 그중 하나의 지표로 물어보세요.",
)
NO_COMMON_TABLE = Text(
    en="{dimensions} do not stand in one table or its parents. Ask for them one by one.",
    ko="{dimensions}은(는) 한 테이블과 그 상위에 함께 있지 않습니다. 따로 물어보세요.",
)
NO_TENANT = Text(
    en="This data belongs to companies, and the request names none. Sign in as someone of one company.",
    ko="이 데이터는 회사별로 나뉘어 있는데 요청에 회사가 없습니다. 소속 회사가 있는 사용자로 접속하세요.",
)
MAY_NOT_SEE = Text(
    en="'{name}' may be seen by {roles} only. Ask one of them, or leave it out.",
    ko="'{name}'은(는) {roles}만 볼 수 있습니다. 해당 담당자에게 요청하거나 빼고 물어보세요.",
)
NO_ATTRIBUTE = Text(
    en="Your role sees only its own rows by '{dimension}', but your account has no '{attribute}'. Ask the "
    "administrator to set it.",
    ko="이 역할은 자신의 '{dimension}' 행만 볼 수 있는데 계정에 '{attribute}'이(가) 없습니다. "
    "관리자에게 설정을 요청하세요.",
)
RESTRICTED = Text(
    en="Your role sees only rows of its own '{dimension}', and '{fact}' cannot be limited to them.",
    ko="이 역할은 자신의 '{dimension}' 행만 볼 수 있는데 '{fact}'은(는) 그렇게 제한할 수 없습니다.",
)
COUNT_OF_WHAT = Text(
    en="How many of '{dimension}' is not clear: say of which metric's rows.",
    ko="'{dimension}'의 수를 어떤 지표의 행에서 셀지 정하세요.",
)
PER_NEEDS_PERIOD = Text(
    en="An average per period needs a period with a start and an end. Give both.",
    ko="기간당 평균을 구하려면 시작일과 종료일이 있는 기간이 필요합니다. 기간을 지정하세요.",
)
PER_TOO_FINE = Text(
    en="An average per {unit} cannot be split by {grain}, which is finer. Split it by something coarser.",
    ko="{unit} 평균은 더 작은 단위인 {grain}별로 나눌 수 없습니다. 더 큰 단위로 나누세요.",
)
NO_RATIO = Text(
    en="'{metric}' is {kind}, so a {what} of it has no meaning. Ask for a total or a number instead.",
    ko="'{metric}'은(는) {kind}이어서 {what}을(를) 구할 수 없습니다. 합계나 건수로 물어보세요.",
)
KINDS = {
    "sum": Text(en="a total", ko="합계"),
    "count": Text(en="a number", ko="건수"),
    "count_distinct": Text(en="a number of different things", ko="가짓수"),
    "average": Text(en="an average", ko="평균"),
    "min": Text(en="a minimum", ko="최솟값"),
    "max": Text(en="a maximum", ko="최댓값"),
    "ratio": Text(en="a ratio", ko="비율"),
}
"""The figures, in words."""
WHAT = {
    "ratio": Text(en="ratio", ko="비율"),
    "share": Text(en="share", ko="비중"),
    "sum": Text(en="sum", ko="합계"),
    "per_period": Text(en="average per period", ko="기간 평균"),
}
"""The figures that are made of others, in words."""
ROWS_NOWHERE = Text(
    en="No row of the asked figures has '{column}'. Use a column of their own table, or ask for another metric.",
    ko="물어본 지표의 행에는 '{column}'이(가) 없습니다. 같은 표의 열을 쓰거나 다른 지표로 물어보세요.",
)
NO_ROW_VALUE = Text(
    en="'{column}' is no number or date of a single row. Use one of: {known}.",
    ko="'{column}'은(는) 한 행의 숫자나 날짜가 아닙니다. 다음 중에서 고르세요: {known}.",
)
PART_PERIOD = Text(
    en="A figure with a period of its own cannot be split by {grain}. Leave the {grain} or the period out.",
    ko="따로 정한 기간이 있는 값은 {grain}별로 나눌 수 없습니다. {grain}(이)나 그 기간을 빼세요.",
)
COUNT_ALONE = Text(
    en="The number of '{dimension}' cannot have a {what}. Ask for it without.",
    ko="'{dimension}' 수에는 {what}을(를) 함께 구할 수 없습니다. 빼고 물어보세요.",
)
NAME_TAKEN = Text(
    en="The name '{name}' is taken: choose another for the derived figure.",
    ko="이름 '{name}'은(는) 이미 있습니다. 다른 이름을 쓰세요.",
)
EMPTY_BY_TIME = Text(
    en="Parts of time without any row are listed for a whole period only. Leave the filter on '{dimension}' out.",
    ko="행이 없는 시간까지 보려면 '{dimension}' 조건을 빼고 기간으로 물어보세요.",
)
TIES = Text(
    en="Others are equal to the last one, so {count} are shown instead of {n}.",
    ko="마지막 순위와 값이 같은 것이 있어 {n}개가 아니라 {count}개를 보입니다.",
)
EQUAL_DAYS = Text(
    en="Only days that have data are compared: {start} to {end} with {before_start} to {before_end}.",
    ko="데이터가 있는 날만 비교했습니다: {start}~{end}와(과) {before_start}~{before_end}.",
)
