"""Every event of the trail in words, as a reviewer reads it."""

from __future__ import annotations

from collections.abc import Mapping

from metaagent.errors import Text

EVENTS: Mapping[str, Text] = {
    "question.asked": Text(en="Question asked", ko="질문"),
    "analysis.done": Text(en="Question understood", ko="질문 해석"),
    "plan.made": Text(en="Plan made", ko="계획 작성"),
    "plan.approved": Text(en="Plan approved", ko="계획 승인"),
    "plan.rejected": Text(en="Plan rejected", ko="계획 거절"),
    "plan.outdated": Text(en="Plan no longer valid", ko="계획 무효"),
    "agent.ran": Text(en="Agent ran", ko="에이전트 실행"),
    "rules.judged": Text(en="Rules applied", ko="규칙 판정"),
    "gate.closed": Text(en="Held back by a check", ko="검사에서 막힘"),
    "gate.overridden": Text(en="Let through by an officer", ko="담당자가 통과시킴"),
    "gate.kept_closed": Text(en="Kept back by an officer", ko="담당자가 막아 둠"),
    "effect.approved": Text(en="Looked at and let happen", ko="내용 확인 후 실행 승인"),
    "effect.rejected": Text(en="Looked at and refused", ko="내용 확인 후 거절"),
    "turn.ended": Text(en="Answer finished", ko="답변 종료"),
    "artifact.exported": Text(en="Result downloaded", ko="결과 내려받음"),
    "artifacts.collected": Text(en="Unused results removed", ko="쓰지 않는 결과 정리"),
    "access.refused": Text(en="Access refused", ko="접근 거부"),
    "account.added": Text(en="Account added", ko="계정 추가"),
    "account.removed": Text(en="Account removed", ko="계정 삭제"),
    "account.password_changed": Text(en="Password changed", ko="비밀번호 변경"),
    "login.begun": Text(en="Logged in", ko="로그인"),
    "login.ended": Text(en="Logged out", ko="로그아웃"),
    "login.refused": Text(en="Log-in refused", ko="로그인 거부"),
    "key.created": Text(en="API key created", ko="API 키 생성"),
    "key.used": Text(en="API key used", ko="API 키 사용"),
    "key.refused": Text(en="API key refused", ko="API 키 거부"),
    "key.revoked": Text(en="API key revoked", ko="API 키 폐기"),
    "document.exported": Text(en="Document downloaded", ko="문서 내려받음"),
    "document.imported": Text(en="Document edited elsewhere and uploaded", ko="수정한 문서 올림"),
    "document.commented": Text(en="Document commented on", ko="문서에 의견 남김"),
    "document.approved": Text(en="Document approved", ko="문서 승인"),
    "document.blocked": Text(en="Release of a document held back", ko="문서 배포 막힘"),
    "document.released": Text(en="Document released", ko="문서 배포"),
    "document.restored": Text(en="Earlier version of a document restored", ko="문서 이전 버전 복원"),
    "document.withdrawn": Text(en="Document withdrawn", ko="문서 회수"),
    "comply.judged": Text(en="File checked by the rules", ko="파일 규칙 검사"),
    "records.stored": Text(en="Records stored", ko="레코드 저장"),
    "records.undone": Text(en="Stored records undone", ko="레코드 저장 취소"),
    "knowledge.ingested": Text(en="Documents added to the knowledge", ko="지식 문서 추가"),
    "knowledge.removed": Text(en="Documents removed from the knowledge", ko="지식 문서 삭제"),
    "index.rebuilt": Text(en="Search index rebuilt", ko="검색 색인 다시 만듦"),
    "session.renamed": Text(en="Conversation renamed", ko="대화 이름 변경"),
    "session.shared": Text(en="Conversation shared", ko="대화 공유"),
    "session.unshared": Text(en="Sharing of a conversation ended", ko="대화 공유 해제"),
    "session.forked": Text(en="Conversation branched off", ko="대화 분기"),
    "session.restored": Text(
        en="Conversation put back to an earlier point", ko="대화를 이전 시점으로 되돌림"
    ),
    "session.exported": Text(en="Conversation exported", ko="대화 내보냄"),
    "session.imported": Text(en="Conversation imported", ko="대화 가져옴"),
    "session.deleted": Text(en="Conversation deleted", ko="대화 삭제"),
    "config.changed": Text(en="Configuration changed", ko="설정 변경"),
    "agent.disabled": Text(en="Agent switched off", ko="에이전트 끔"),
    "agent.enabled": Text(en="Agent switched on", ko="에이전트 켬"),
    "rules.loaded": Text(en="Rule pack added", ko="규칙 묶음 추가"),
    "rules.changed": Text(en="Rule pack changed", ko="규칙 묶음 변경"),
    "rules.removed": Text(en="Rule pack removed", ko="규칙 묶음 삭제"),
    "rules.waived": Text(en="Rule waived", ko="규칙 적용 면제"),
    "rules.waiver_ended": Text(en="Waiver of a rule ended", ko="규칙 면제 종료"),
    "audit.read": Text(en="Audit trail read", ko="감사 기록 열람"),
    "audit.exported": Text(en="Audit trail exported", ko="감사 기록 내보냄"),
    "keys.rotated": Text(en="Encryption key renewed", ko="암호화 키 교체"),
    "keys.resealed": Text(en="Data sealed with the new key", ko="새 키로 다시 봉인"),
    "keys.retired": Text(en="Old encryption key retired", ko="이전 암호화 키 폐기"),
    "keys.rewrapped": Text(en="Keys protected anew", ko="키 보호 갱신"),
    "legal_hold.placed": Text(en="Legal hold placed", ko="법적 보존 설정"),
    "legal_hold.released": Text(en="Legal hold released", ko="법적 보존 해제"),
    "retention.dropped": Text(en="Old entries removed after their time", ko="보존 기간 지난 항목 삭제"),
    "person.erasure_begun": Text(en="Erasure of a person begun", ko="개인 정보 파기 시작"),
    "person.erased": Text(en="Person erased", ko="개인 정보 파기"),
    "person.erased_again": Text(en="Erasure repeated after a restore", ko="복원 뒤 개인 정보 다시 파기"),
    "person.readmitted": Text(en="Erased person admitted again", ko="파기된 사람 다시 허용"),
}


def event_said(event: str, language: str) -> str:
    """The event in words; one that a later version wrote, as it is."""
    return EVENTS[event].say(language) if event in EVENTS else event
