"""The texts of the analyzer for a person: assumptions and reasons, in both languages."""

from __future__ import annotations

from datetime import date

from metaagent.errors import Text
from metaagent.level1.query_analyzer.entities import Entity
from metaagent.level1.query_analyzer.intents import FoundIntent

ASSUMED = {
    "metric": Text(en="No figure was named; I took {metric}.", ko="수치를 말씀하지 않아 {metric} 기준으로 봤습니다."),
    "dated": Text(en="By the date of: {date}.", ko="{date} 기준으로 봤습니다."),
    "previous_period": Text(
        en="Compared with the period before: {other_start} to {other_end}.",
        ko="직전 기간({other_start}~{other_end})과 비교했습니다.",
    ),
    "current_unit": Text(
        en="No period was named; I compared {period_start} to {period_end} with {other_start} to {other_end}.",
        ko="기간을 말씀하지 않아 {period_start}~{period_end}을(를) {other_start}~{other_end}와(과) 비교했습니다.",
    ),
    "aligned": Text(
        en="The period is not over: compared up to today, {period_start} to {period_end} with {other_start} to {other_end}.",
        ko="아직 끝나지 않은 기간이라 오늘까지만 비교했습니다: {period_start}~{period_end}, {other_start}~{other_end}.",
    ),
    "compared": Text(
        en="Compared {period_start} to {period_end} with {other_start} to {other_end}.",
        ko="{period_start}~{period_end}을(를) {other_start}~{other_end}와(과) 비교했습니다.",
    ),
    "not_understood": Text(
        en="I did not understand these words and left them out: {words}. The figures below may not be what you mean.",
        ko="다음 말은 이해하지 못해 반영하지 않았습니다: {words}. 아래 수치가 뜻하신 것과 다를 수 있습니다.",
    ),
    "still_unread": Text(
        en="These words of the question before were not understood, and are still left out: {words}.",
        ko="앞 질문에서 이해하지 못한 말은 여전히 반영하지 않았습니다: {words}.",
    ),
    "only_form": Text(
        en="I am not sure that I read the whole question; please check what was looked up. Not placed: {words}.",
        ko="질문을 모두 읽었는지 확실하지 않으니 조회한 조건을 확인해 주세요. 자리를 찾지 못한 말: {words}.",
    ),
    "disputed": Text(
        en="The chat model read this otherwise than the rules, which stand: {words}",
        ko="채팅 모델은 다음 말을 규칙과 다르게 읽었습니다(규칙대로 답합니다): {words}",
    ),
    "unconfirmed": Text(en="this is not certain: {what}", ko="확실하지 않음: {what}"),
    "no_longer": Text(
        en="The filter of the question before does not fit this figure and was dropped: {labels}",
        ko="앞 질문의 조건은 이 수치에 쓸 수 없어 뺐습니다: {labels}",
    ),
    "steady": Text(
        en="Each full unit from {start} to {end} was set against the one before it; the first has none.",
        ko="{start}~{end}에서 단위마다 바로 앞과 비교했습니다(첫 단위는 비교 대상이 없습니다).",
    ),
    "widened": Text(
        en="No longer as in the question before: {labels}",
        ko="앞 질문과 달리 이제 빼고 봤습니다: {labels}",
    ),
    "same_filters": Text(
        en="As in the question before: {labels}.", ko="앞 질문의 조건 그대로 봤습니다: {labels}."
    ),
    "left_behind": Text(
        en="Without the condition of the question before: {labels}.",
        ko="앞 질문의 조건은 넣지 않았습니다: {labels}.",
    ),
    "finished": Text(
        en="The {unit_en} that still runs is left out of the average: {start} to {end}.",
        ko="아직 끝나지 않은 {unit_ko} 평균에서 뺐습니다: {start}~{end}.",
    ),
    "pro_rata": Text(
        en="An unfinished {unit_en} counts by its days: {start} to {end} are {count} {unit_en}s.",
        ko="끝나지 않은 {unit_ko} 날수만큼 셌습니다: {start}~{end}은(는) {count}{counter_ko}입니다.",
    ),
    "same_period": Text(
        en="No period was named; I took that of the question before, {start} to {end}.",
        ko="기간을 말씀하지 않아 앞 질문의 기간({start}~{end})으로 봤습니다.",
    ),
    "whole_period": Text(
        en="No period was named; I took all data, {start} to {end}.",
        ko="기간을 말씀하지 않아 데이터 전체({start}~{end})로 봤습니다.",
    ),
    "period": Text(en="I took '{text}' as {start} to {end}.", ko="'{text}'은(는) {start}~{end}(으)로 봤습니다."),
    "model": Text(
        en="The chat model read '{text}' as {name}.", ko="채팅 모델이 '{text}'을(를) {name}(으)로 읽었습니다."
    ),
    "among": Text(
        en="There are several things called '{text}'; I took the {kind}.",
        ko="'{text}'(이)라는 이름이 여럿이라 {kind}(으)로 봤습니다.",
    ),
    "left_out": Text(
        en="The condition '{text}' could not be applied: no figure fits it.",
        ko="'{text}' 조건은 맞는 수치가 없어 반영하지 못했습니다.",
    ),
    "meant": Text(en="'{text}': {names}.", ko="'{text}': {names}."),
    "typo": Text(en="I read '{text}' as {name}.", ko="'{text}'은(는) {name}(으)로 읽었습니다."),
    "unread": Text(en="These words were not used: {words}.", ko="다음 말은 반영하지 못했습니다: {words}."),
    "optional": Text(en="asked for only if it is possible", ko="가능하면 해 달라고 하셨습니다"),
    "inherited": Text(en="taken over from the question before", ko="앞 질문에서 이어받았습니다"),
    "complexity": Text(en="mean of six counted components", ko="세어 본 여섯 요소의 평균입니다"),
    "unchecked": Text(en="nothing is known to be in the way; what the data covers could not be looked up",
                      ko="알려진 걸림돌은 없지만 데이터 범위는 확인하지 못했습니다"),
    "feasible": Text(en="data, rights and agents were looked up; nothing is in the way",
                     ko="데이터, 권한, 에이전트를 확인했고 걸리는 것이 없습니다"),
}  # fmt: skip

_INTENT = {
    "several_words": Text(en="several words show it: {words}", ko="여러 단어가 나타냅니다: {words}"),
    "one_word": Text(en="the word '{words}' shows it", ko="'{words}'(이)라는 말이 나타냅니다"),
    "entity": Text(en="what is named implies it: {words}", ko="언급된 대상이 뜻합니다: {words}"),
    "implied": Text(
        en="nothing else is asked, and {words} is named", ko="다른 요청 없이 {words}이(가) 언급되었습니다"
    ),
    "settled": Text(
        en="the question asks what a rule or a document says", ko="규정이나 문서가 답할 질문입니다"
    ),
    "inherited": Text(en="taken over from the question before", ko="앞 질문에서 이어받았습니다"),
    "composed": Text(en="the whole question asks for a figure", ko="질문 전체가 수치를 묻습니다"),
    "model": Text(en="the chat model reads it in '{words}'", ko="채팅 모델이 '{words}'에서 읽었습니다"),
}
_PERIOD = {
    "model": Text(
        en="the chat model reads it so; the dates were checked",
        ko="채팅 모델이 그렇게 읽었고 날짜를 확인했습니다",
    ),
    "relative": Text(
        en="a calendar unit counted from today, {today}", ko="오늘({today})을 기준으로 센 달력 단위입니다"
    ),
    "rolling": Text(en="the stretch that ends today, {today}", ko="오늘({today})까지 거꾸로 센 기간입니다"),
    "ago": Text(
        en="the calendar unit so long before today, {today}", ko="오늘({today})부터 거슬러 센 달력 단위입니다"
    ),
    "to_date": Text(
        en="from the unit's first day to today, {today}", ko="단위의 첫날부터 오늘({today})까지입니다"
    ),
    "since": Text(en="from there to today, {today}", ko="그때부터 오늘({today})까지입니다"),
    "until": Text(
        en="from the start of the data or the year until then",
        ko="데이터(또는 그해)의 시작부터 그때까지입니다",
    ),
    "range": Text(
        en="from the first day of the one to the last day of the other",
        ko="앞의 첫날부터 뒤의 마지막 날까지입니다",
    ),
    "same_period": Text(
        en="the period it is compared with, moved back", ko="비교하는 기간을 그만큼 앞으로 옮긴 것입니다"
    ),
    "vague": Text(
        en="no length was said; the domain's default", ko="길이를 말하지 않아 도메인 기본값을 썼습니다"
    ),
}
_NEWEST = Text(
    en="no year was said: the newest one that has begun by {today}",
    ko="연도가 없어 오늘({today}) 기준으로 시작된 가장 최근 것입니다",
)
_WRITTEN = Text(en="as it is written", ko="쓰인 그대로입니다")
_VALUE = {
    "name_exact": Text(en="a known name or word", ko="알고 있는 이름 또는 말입니다"),
    "name_partial": Text(en="the beginning of a known name", ko="알고 있는 이름의 앞부분입니다"),
    "name_typo": Text(
        en="the nearest known word within the typos that its length allows",
        ko="길이에 따라 허용되는 오타 안에서 가장 가까운 말입니다",
    ),
    "name_sound": Text(
        en="a known name, written as it sounds", ko="알고 있는 이름을 소리 나는 대로 쓴 것입니다"
    ),
    "name_unknown": Text(
        en="has the form of a name, but the data does not hold it", ko="이름의 꼴이지만 데이터에 없습니다"
    ),
    "reference": Text(
        en="refers to the newest result of this session", ko="이 대화의 가장 최근 결과를 가리킵니다"
    ),
    "negation": Text(en="excludes what stands beside it", ko="옆에 있는 것을 제외합니다"),
    "model": Text(
        en="the chat model takes these words for it; it exists here",
        ko="채팅 모델이 이 말을 그렇게 읽었고, 실제로 있는 항목입니다",
    ),
    "answer": Text(en="the person's answer", ko="답해 주신 내용입니다"),
}


def intent_reason(intent: FoundIntent, language: str) -> str:
    rule = "settled" if intent.rule == "implied" and not intent.words else intent.rule
    return _INTENT[rule].say(language, words=", ".join(intent.words))


def period_reason(entity: Entity, today: date, language: str) -> str:
    text = _NEWEST if entity.extra.get("assumed_year") else _PERIOD.get(str(entity.extra["rule"]), _WRITTEN)
    return text.say(language, today=today.isoformat())


def value_reason(entity: Entity, language: str) -> str:
    return _VALUE.get(entity.method, _WRITTEN).say(language)
