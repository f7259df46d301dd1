"""Faults of an audit trail, each with its message."""

from __future__ import annotations

from typing import NamedTuple

from metaagent.errors import Text

FINDINGS = {
    "edited": Text(
        "Entry {seq} was edited: its {detail} is not what was written.",
        "항목 {seq}이(가) 수정되었습니다: {detail}이(가) 기록된 것과 다릅니다.",
    ),
    "deleted": Text(
        "Entries were deleted; missing: {detail}.", "항목이 삭제되었습니다. 없는 항목: {detail}."
    ),
    "inserted": Text(
        "An entry numbered {detail} was inserted before entry {seq}.",
        "항목 {seq} 앞에 번호 {detail}인 항목이 삽입되었습니다.",
    ),
    "reordered": Text(
        "Entry {seq} was moved there: it was written as number {detail}.",
        "항목 {seq}은(는) 옮겨진 것입니다: 번호 {detail}(으)로 기록되었습니다.",
    ),
    "broken_link": Text(
        "Entry {seq} does not follow entry {detail}: one of them was replaced, or entries between them.",
        "항목 {seq}이(가) 항목 {detail}에 이어지지 않습니다: 둘 중 하나나 그 사이가 바뀌었습니다.",
    ),
    "swapped_tenant": Text(
        "Entry {seq} was written for tenant '{detail}'.", "항목 {seq}은(는) 테넌트 '{detail}'의 것입니다."
    ),
    "rehashed": Text(
        "Entries {detail} agree with each other, but not with what was signed: the chain was made anew.",
        "항목 {detail}은(는) 서로 맞지만 서명된 것과 다릅니다: 사슬이 새로 만들어졌습니다.",
    ),
    "cut_tail": Text(
        "The end was cut off from entry {seq}: more was signed than is there ({detail}).",
        "항목 {seq}부터 끝이 잘렸습니다: 서명된 것보다 적습니다({detail}).",
    ),
    "cut_head": Text(
        "Missing entries: {detail}. No signed note says that retention dropped them.",
        "없는 항목: {detail}. 보존 기간에 따라 삭제했다는 서명이 없습니다.",
    ),
    "forged": Text(
        "Entry {seq} was not written by this program: its seal is {detail}.",
        "항목 {seq}은(는) 이 프로그램이 쓴 것이 아닙니다: 봉인이 {detail} 상태입니다.",
    ),
    "replaced_key": Text(
        "The checkpoint at {seq} was signed by the unknown key {detail}.",
        "{seq}의 체크포인트가 알 수 없는 키 {detail}(으)로 서명되었습니다.",
    ),
    "forged_checkpoint": Text(
        "The checkpoint at {seq} is not one of this trail ({detail}).",
        "{seq}의 체크포인트는 이 기록의 것이 아닙니다({detail}).",
    ),
}


DETAILS = {
    "spelling": Text("spelling", "표기"),
    "hash": Text("hash", "해시"),
    "search columns": Text("search columns", "검색용 열"),
    "missing": Text("missing", "없음"),
    "wrong": Text("wrong", "불일치"),
}
"""Details that are words, not numbers or names."""


class Finding(NamedTuple):
    """`kind` is a key of FINDINGS, `seq` the first entry that it concerns."""

    kind: str
    seq: int
    detail: str

    def say(self, language: str = "en") -> str:
        detail = DETAILS[self.detail].say(language) if self.detail in DETAILS else self.detail
        return FINDINGS[self.kind].say(language, seq=self.seq, detail=detail)
