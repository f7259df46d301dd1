"""The words of reports and tables, in both languages."""

from __future__ import annotations

from metaagent.errors import Text

LABELS = {
    "phases": Text(en="Phases", ko="단계별 시간"),
    "plan": Text(en="Plan", ko="실행 계획"),
    "steps": Text(en="Steps", ko="작업"),
    "state": Text(en="State by node", ko="노드별 상태"),
    "artifacts": Text(en="Artifacts", ko="산출물"),
    "events": Text(en="Events", ko="이벤트"),
    "problems": Text(en="Errors and warnings", ko="오류와 경고"),
    "conversation": Text(en="Question and answer", ko="질문과 답"),
    "question": Text(en="Question", ko="질문"),
    "answer": Text(en="Answer", ko="답"),
    "language": Text(en="language", ko="언어"),
    "duration": Text(en="Duration", ko="걸린 시간"),
    "state_size": Text(en="State", ko="상태 크기"),
    "confidence": Text(en="Confidence", ko="신뢰도"),
    "step": Text(en="Step", ko="단계"),
    "agent": Text(en="Agent", ko="에이전트"),
    "task": Text(en="Task", ko="작업"),
    "status": Text(en="Status", ko="상태"),
    "result": Text(en="Result", ko="결과"),
    "node": Text(en="Node", ko="노드"),
    "size": Text(en="Size", ko="크기"),
    "growth": Text(en="Growth", ko="증가"),
    "changes": Text(en="Changes", ko="변화"),
    "kind": Text(en="Kind", ko="종류"),
    "summary": Text(en="Summary", ko="요약"),
    "made_by": Text(en="Made by", ko="만든 단계"),
    "id": Text(en="Id", ko="아이디"),
    "seq": Text(en="#", ko="#"),
    "time": Text(en="Time", ko="시각"),
    "type": Text(en="Type", ko="유형"),
    "gist": Text(en="Content", ko="내용"),
    "none": Text(en="None.", ko="없습니다."),
    "completed": Text(en="completed", ko="완료"),
    "failed": Text(en="failed", ko="실패"),
    "skipped": Text(en="skipped", ko="건너뜀"),
    "pending": Text(en="pending", ko="대기"),
    "in_progress": Text(en="in progress", ko="진행 중"),
    "running": Text(en="running", ko="실행 중"),
    "waiting": Text(en="waiting", ko="답변 대기"),
    "cancelled": Text(en="cancelled", ko="취소"),
    "queued": Text(en="queued", ko="대기열"),
    "undone": Text(en="undone", ko="되돌림"),
    "interrupted": Text(en="interrupted", ko="중단됨"),
    "new": Text(en="new", ko="새 세션"),
    "session": Text(en="Session", ko="세션"),
    "updated": Text(en="Last used", ko="마지막 사용"),
    "turns": Text(en="Turns", ko="턴"),
    "title": Text(en="Title", ko="제목"),
    "turn": Text(en="Turn", ko="턴"),
    "name": Text(en="Name", ko="이름"),
    "made": Text(en="Made", ko="만든 시각"),
}
PHASES = {
    "analyzing": Text(en="analyzing", ko="분석"),
    "clarifying": Text(en="clarifying", ko="확인 질문"),
    "planning": Text(en="planning", ko="계획"),
    "executing": Text(en="executing", ko="실행"),
    "completed": Text(en="responding", ko="응답"),
}


def label(name: object, language: str) -> str:
    """The word for a status, a heading or a section; an unknown one as it is."""
    return LABELS[name].say(language) if isinstance(name, str) and name in LABELS else str(name)


def phase_label(phase: str, language: str) -> str:
    return PHASES[phase].say(language) if phase in PHASES else phase
