"""Words for people in the role that they have in another table: the employee who delivers a rental, the 검수자 of an auction."""

from __future__ import annotations

from metaagent.data.semantic.drafting.dictionary import ROLES_OF_PEOPLE
from metaagent.data.semantic.drafting.event_dates import moment_of
from metaagent.data.semantic.drafting.naming import Words
from metaagent.data.semantic.drafting.words import english, hangul, korean, plural
from metaagent.language.patterns import regex

_DOER = regex(r"(?<=[가-힣])(?:자|사|원|인|관|장|공|수|부|가|담당|기사|의)$")
"""The last syllable of a Korean word for somebody by what they do."""
_LEAST = 3
_SELLERS = ("sales rep", "rep", "salesperson", "sales person", "sales employee", "seller")
_DOER_EN = regex(r"(?:er|or|ist|ian|ee|ant|man)$")


def role_words(role: list[str], people: list[str], jobs: list[str]) -> Words:
    """`people`: the words of their table; `jobs`: what they are called there by their work."""
    if alike := [
        job for job in jobs if len(role[-1]) >= _LEAST and job.startswith(role[-1]) and job != role[-1]
    ]:
        role = [*role[:-1], alike[0]]  # phleb, of people some of whom are phlebotomists
    if hangul(role[-1]):
        named = bool(_DOER.search(role[-1]))
        acts, doers = ([], [" ".join(role)]) if named else ([" ".join(role)], [])
        en = [word for word in english(role) if word.isascii()]
    else:
        named = role[-1] in ROLES_OF_PEOPLE or bool(_DOER_EN.search(role[-1]))
        acts, doers = ([], korean(role)) if named else (korean(role), [])
        en = english(role)
    if named:
        return {"ko": doers, "en": en}
    if role[-1] in ("sale", "sales", "selling"):
        return {
            "ko": ["영업사원", "영업 담당자", "담당 영업", "영업 담당"],
            "en": [*_SELLERS, *map(plural, _SELLERS)],
        }
    who_ko = [*korean(people), *(word for job in jobs for word in korean([job])), "사람"]
    ko = [f"{act} {who}" for act in acts for who in (*who_ko, "담당", "담당자", "기사")]
    ko += [f"{act} 담당 {who}" for act in acts for who in who_ko]
    ko += [
        f"{act}{done} {who}"
        for act in acts
        for done in ("한", "을 한", "를 한", "을 맡은", "를 맡은", "하는")
        for who in who_ko
    ]
    who_en = [
        *english(people)[:2],
        *(form for job in jobs for form in (job, plural(job))),
        "person",
        "people",
    ]
    moment = moment_of(f"{role[-1]}_date") if role[-1].isascii() else None
    done = moment.done if moment else ""
    acted = [f"{who}{link} {done}" for who in who_en for link in ("", " who", " that")] if done else []
    return {"ko": ko, "en": [f"{act} {who}" for act in en[:1] for who in who_en] + acted}
