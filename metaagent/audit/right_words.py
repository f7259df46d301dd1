"""Every operation that a policy can allow, in words, as a refusal names it."""

from __future__ import annotations

from collections.abc import Mapping

from metaagent.errors import Text

RIGHTS: Mapping[str, Text] = {
    "session.ask": Text(en="ask questions", ko="질문하기"),
    "session.resume": Text(en="go on with a conversation", ko="대화 이어 가기"),
    "session.approve": Text(en="decide on plans", ko="계획 승인"),
    "session.read": Text(en="read conversations", ko="대화 읽기"),
    "session.control": Text(en="pause and cancel work", ko="작업 일시정지와 취소"),
    "session.delete": Text(en="delete conversations", ko="대화 삭제"),
    "session.share": Text(en="share conversations", ko="대화 공유"),
    "artifact.read": Text(en="open and download results", ko="결과 열람과 내려받기"),
    "memory.read": Text(en="read what is remembered", ko="기억 읽기"),
    "memory.change": Text(en="change what is remembered", ko="기억 바꾸기"),
    "stored.read": Text(en="read what was stored", ko="저장한 레코드 읽기"),
    "stored.undo": Text(en="undo what was stored", ko="저장 취소"),
    "document.read": Text(en="read documents", ko="문서 읽기"),
    "document.write": Text(en="change documents", ko="문서 바꾸기"),
    "document.approve": Text(en="approve documents", ko="문서 승인"),
    "document.release": Text(en="release documents", ko="문서 배포"),
    "erase": Text(en="erase a person", ko="개인 정보 파기"),
    "login.manage": Text(en="see and end log-ins", ko="로그인 관리"),
    "compliance.override": Text(
        en="let something through that a check held back", ko="검사에서 막힌 것을 통과시키기"
    ),
    "accounts.manage": Text(en="manage accounts and API keys", ko="계정과 API 키 관리"),
    "agents.switch": Text(en="switch agents off and on", ko="에이전트 켜고 끄기"),
    "rules.waive": Text(en="waive a rule", ko="규칙 적용 면제"),
    "knowledge.read": Text(en="read the knowledge", ko="지식 문서 읽기"),
    "knowledge.change": Text(en="add documents for oneself", ko="내 지식 문서 바꾸기"),
    "knowledge.publish": Text(en="add documents for the whole company", ko="회사 전체의 지식 문서 추가"),
    "index.manage": Text(en="rebuild search indexes", ko="검색 색인 관리"),
    "audit.read": Text(en="read the audit trail", ko="감사 기록 열람"),
    "audit.reveal": Text(en="see personal parts of the audit trail", ko="감사 기록의 개인 정보 보기"),
    "audit.verify": Text(en="verify the audit trail", ko="감사 기록 검증"),
    "audit.export": Text(en="export the audit trail", ko="감사 기록 내보내기"),
    "keys.read": Text(en="see encryption keys", ko="암호화 키 보기"),
    "keys.manage": Text(en="manage encryption keys", ko="암호화 키 관리"),
    "holds.manage": Text(en="place and release legal holds", ko="법적 보존 관리"),
    "retention.apply": Text(en="remove what is past its time", ko="보존 기간 지난 것 삭제"),
    "logs.read": Text(en="read the logs", ko="로그 읽기"),
    "installation.manage": Text(en="manage the whole installation", ko="설치 전체 관리"),
    "artifact": Text(en="open results of this kind", ko="이 종류의 결과 열람"),
    "port": Text(en="use this part of the installation", ko="설치의 이 부분 사용"),
}
"""Words by operation; `artifact` and `port` are what policies allow by kind (`artifact:document`)."""


def right_said(operation: str) -> Text:
    """The operation in words with its name, which is what a policy allows it by; its name alone if it has no words."""
    words = right_words(operation)
    if words.en == operation:
        return words
    return Text(en=f"{words.en} ({operation})", ko=f"{words.ko}({operation})")


def right_words(operation: str) -> Text:
    """The operation in words alone; its name if it has no words."""
    return RIGHTS.get(operation.partition(":")[0]) or Text(en=operation, ko=operation)
