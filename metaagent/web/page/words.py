"""Every text of the page, in Korean and English. One table: a text that is missing here cannot be shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from metaagent.errors import Text

WORDS: dict[str, Text] = {
    # The frame
    "skip": Text(en="Skip to the content", ko="본문으로 건너뛰기"),
    "menu": Text(en="Menu", ko="메뉴"),
    "close_menu": Text(en="Close the menu", ko="메뉴 닫기"),
    "new": Text(en="New question", ko="새 질문"),
    "nav": Text(en="Main", ko="주요 메뉴"),
    "nav_sessions": Text(en="Conversations", ko="대화"),
    "nav_approvals": Text(en="Approvals", ko="승인"),
    "nav_documents": Text(en="Documents", ko="문서"),
    "nav_knowledge": Text(en="Knowledge", ko="지식"),
    "nav_memory": Text(en="Memory", ko="기억"),
    "nav_agents": Text(en="Agents", ko="에이전트"),
    "nav_review": Text(en="Review", ko="감사"),
    "recent": Text(en="Recent", ko="최근 대화"),
    "pinned_ones": Text(en="Pinned", ko="고정한 대화"),
    "waiting_count": Text(en="{count} waiting", ko="{count}건 대기"),
    "language_switch": Text(en="한국어로 보기", ko="View in English"),
    "theme_dark": Text(en="Dark theme", ko="어두운 화면"),
    "theme_light": Text(en="Light theme", ko="밝은 화면"),
    "log_out": Text(en="Log out", ko="로그아웃"),
    "not_found": Text(en="There is no such page.", ko="그런 페이지가 없습니다."),
    "not_found_hint": Text(
        en="The address may be old, or what it names was deleted.",
        ko="주소가 오래되었거나 삭제된 항목입니다.",
    ),
    "no_document": Text(en="There is no such document.", ko="그런 문서가 없습니다."),
    "no_document_why": Text(
        en="It was deleted, or you may not see it.", ko="삭제되었거나 볼 권한이 없는 문서입니다."
    ),
    "right_missing": Text(
        en="You do not have the right to {right}. An administrator of your company can give it to you.",
        ko="권한이 없습니다: {right}. 필요하면 회사의 관리자에게 요청하세요.",
    ),
    "role_owner": Text(en="owner", ko="소유자"),
    "role_employee": Text(en="employee", ko="직원"),
    "role_analyst": Text(en="analyst", ko="분석가"),
    "role_trainee": Text(en="trainee", ko="수습 직원"),
    "role_manager": Text(en="manager", ko="관리자"),
    "role_staff": Text(en="staff", ko="직원"),
    "role_librarian": Text(en="librarian", ko="지식 담당자"),
    "role_approver": Text(en="approver", ko="승인자"),
    "role_reviewer": Text(en="reviewer", ko="감사 담당자"),
    "role_compliance_officer": Text(en="compliance officer", ko="준법 담당자"),
    "role_security_officer": Text(en="security officer", ko="보안 담당자"),
    "to_start": Text(en="To the start", ko="처음으로"),
    "loading": Text(en="Loading…", ko="불러오는 중…"),
    "cancel": Text(en="Cancel", ko="취소"),
    "close": Text(en="Close", ko="닫기"),
    "copy": Text(en="Copy", ko="복사"),
    "copied": Text(en="Copied", ko="복사했습니다"),
    "download": Text(en="Download {form}", ko="{form} 내려받기"),
    "more": Text(en="Show more", ko="더 보기"),
    "undo": Text(en="Undo", ko="되돌리기"),
    # Asking
    "ask_title": Text(en="What would you like to know?", ko="무엇을 알고 싶으세요?"),
    "welcome": Text(en="Welcome", ko="어서 오세요"),
    "ask_intro": Text(
        en="Ask in Korean or English. Every figure comes with its source, and you can see the plan of what is done.",
        ko="한국어나 영어로 물어보세요. 모든 수치에 출처가 따라오고, 무엇을 하는지 계획을 볼 수 있습니다.",
    ),
    "ask_data": Text(en="Data from {start} to {end}", ko="{start}부터 {end}까지의 데이터"),
    "may_not_ask": Text(
        en="Your roles let you look at other pages, not ask questions. An administrator of your company can change that.",
        ko="이 역할로는 다른 메뉴만 볼 수 있고 질문할 수 없습니다. 필요하면 회사의 관리자에게 요청하세요.",
    ),
    "examples": Text(en="Questions that work here", ko="여기서 바로 되는 질문"),
    "placeholder": Text(en="Ask a question…", ko="질문을 입력하세요…"),
    "placeholder_answer": Text(
        en="Answer here, or ask something else…", ko="여기에 답하거나 다른 것을 물어보세요…"
    ),
    "composer": Text(en="Your question", ko="질문"),
    "send": Text(en="Send", ko="보내기"),
    "stop": Text(en="Stop", ko="중지"),
    "attach": Text(en="Attach files", ko="파일 첨부"),
    "drop": Text(en="Drop the files here", ko="여기에 파일을 놓으세요"),
    "uploading": Text(en="uploading…", ko="올리는 중…"),
    "not_connected": Text(
        en="Not connected to the server. Your question stays here: send it when the connection is back.",
        ko="서버에 연결되어 있지 않습니다. 질문은 그대로 두었으니 연결되면 보내세요.",
    ),
    "upload_refused": Text(en="The file could not be taken.", ko="파일을 받지 못했습니다."),
    "remove_file": Text(en="Remove {name}", ko="{name} 빼기"),
    "attached_file": Text(en="attached file", ko="첨부 파일"),
    "keys_hint": Text(
        en="Enter sends · Shift+Enter for a new line · / to come back here",
        ko="Enter로 보내기 · Shift+Enter로 줄바꿈 · /로 입력창 이동",
    ),
    "earlier": Text(en="Show earlier questions", ko="이전 질문 보기"),
    "conversation": Text(en="Conversation", ko="대화"),
    "you_asked": Text(en="You asked", ko="질문"),
    # Marks on conversations
    "pin": Text(en="Pin", ko="고정"),
    "unpin": Text(en="Unpin", ko="고정 해제"),
    "pinned": Text(en="Pinned.", ko="고정했습니다."),
    "unpinned": Text(en="No longer pinned.", ko="고정을 풀었습니다."),
    "rename": Text(en="Rename", ko="이름 바꾸기"),
    "renamed": Text(en="Renamed.", ko="이름을 바꿨습니다."),
    "title": Text(en="Title", ko="제목"),
    "save": Text(en="Save", ko="저장"),
    "share": Text(en="Share", ko="공유"),
    "share_all": Text(en="Share with everyone in the company", ko="회사 전체와 공유"),
    "share_person": Text(en="Name of a colleague", ko="동료의 이름(아이디)"),
    "share_means": Text(
        en="Whoever it is shared with can read it, questions to come included, and change nothing. They need at least your "
        "rights to data.",
        ko="공유받은 사람은 앞으로의 질문까지 읽을 수만 있고 바꿀 수는 없습니다. 나와 같거나 더 넓은 데이터 권한이 있어야 합니다.",
    ),
    "shared": Text(en="Shared.", ko="공유했습니다."),
    "shared_mark": Text(en="shared", ko="공유 중"),
    "shared_with": Text(en="May be read by", ko="읽을 수 있는 사람"),
    "shared_nobody": Text(en="Nobody else can read it.", ko="다른 사람은 읽을 수 없습니다."),
    "everybody": Text(en="Everyone in the company", ko="회사 전체"),
    "unshare": Text(en="Stop sharing", ko="공유 중지"),
    "unshared": Text(en="No longer shared.", ko="공유를 중지했습니다."),
    "shared_by": Text(
        en="{name} shares this conversation with you. You can read it.",
        ko="{name} 님이 공유한 대화입니다. 읽을 수 있습니다.",
    ),
    "shared_to_me": Text(en="Shared with you", ko="나에게 공유된 대화"),
    "of_person": Text(en="by {name}", ko="{name} 님의 대화"),
    "they_asked": Text(en="Question", ko="질문"),
    "waits_for_them": Text(
        en="This waits for an answer from the owner of the conversation.",
        ko="대화 주인의 답을 기다리고 있습니다.",
    ),
    # While it works
    "queued": Text(en="Waiting for its turn…", ko="차례를 기다리는 중…"),
    "queued_at": Text(
        en="Waiting for its turn: number {place} in the queue…", ko="차례를 기다리는 중: 대기 {place}번째…"
    ),
    "understanding": Text(en="Understanding the question…", ko="질문을 이해하는 중…"),
    "planning": Text(en="Making a plan…", ko="계획을 세우는 중…"),
    "working": Text(
        en="Working on it: {done} of {all} steps done", ko="처리 중: {all}단계 중 {done}단계 완료"
    ),
    "working_failed": Text(
        en="Working on it: {done} of {all} steps done, {failed} failed",
        ko="처리 중: {all}단계 중 {done}단계 완료, {failed}단계 실패",
    ),
    "writing": Text(en="Writing the answer…", ko="답을 쓰는 중…"),
    "paused": Text(
        en="Paused: the steps that are running will finish, and no new ones start.",
        ko="일시 중지됨: 진행 중인 단계만 마칩니다.",
    ),
    "no_conversation": Text(en="There is no such conversation.", ko="그런 대화가 없습니다."),
    "no_conversation_why": Text(
        en="It was deleted, or it is somebody else's and not shared with you.",
        ko="삭제되었거나, 공유받지 않은 다른 사람의 대화입니다.",
    ),
    "to_conversations": Text(en="Your conversations", ko="내 대화 목록"),
    "pause": Text(en="Pause", ko="일시 중지"),
    "go_on": Text(en="Go on", ko="계속"),
    "cancel_turn": Text(en="Cancel", ko="중단"),
    "interrupted": Text(
        en="This question was cut off before its answer.", ko="답을 마치기 전에 끊긴 질문입니다."
    ),
    "finish_it": Text(en="Finish it", ko="이어서 처리"),
    "drop_it": Text(en="Drop it", ko="버리기"),
    "plan_label": Text(en="Plan with {count} steps", ko="{count}단계 계획"),
    "plan": Text(en="Plan", ko="계획"),
    "plan_done": Text(en="{count} steps · {seconds} s", ko="{count}단계 · {seconds}초"),
    "plan_done_one": Text(en="1 step · {seconds} s", ko="1단계 · {seconds}초"),
    "seconds": Text(en="# s", ko="#초"),
    "tries": Text(en="attempt #", ko="#번째 시도"),
    "step_pending": Text(en="waits", ko="대기"),
    "step_in_progress": Text(en="running", ko="진행 중"),
    "step_asks": Text(en="waits for a decision", ko="결정 대기"),
    "step_completed": Text(en="done", ko="완료"),
    "step_failed": Text(en="failed", ko="실패"),
    "step_skipped": Text(en="skipped", ko="건너뜀"),
    "replanned": Text(en="New plan: {reason}", ko="새 계획: {reason}"),
    # Answers
    "confidence": Text(en="Confidence {value}", ko="신뢰도 {value}"),
    "confidence_why": Text(
        en="Computed from how the question was read and how the steps went",
        ko="질문을 이해한 정도와 단계별 결과로 계산한 값입니다",
    ),
    "cancelled": Text(en="Cancelled", ko="중단됨"),
    "failed": Text(en="Not answered", ko="답하지 못함"),
    "undone": Text(
        en="Undone: the conversation went back before this", ko="되돌림: 대화가 이 앞으로 돌아갔습니다"
    ),
    "nothing_said": Text(en="There is no answer to show.", ko="보여 줄 답이 없습니다."),
    "unreadable": Text(
        en="This question and its answer cannot be read: what is stored of them was damaged or changed. "
        "The rest of the conversation is as it was. An administrator can restore it from a backup.",
        ko="이 질문과 답은 저장된 내용이 손상되었거나 바뀌어 읽을 수 없습니다. 대화의 나머지는 그대로입니다. "
        "관리자가 백업에서 복원할 수 있습니다.",
    ),
    "sources": Text(en="Sources", ko="출처"),
    "citation": Text(en="Source {n}: {title}", ko="출처 {n}: {title}"),
    "table_label": Text(en="Table: {title}", ko="표: {title}"),
    "chart_label": Text(
        en="Chart: {title}. The table has the same figures.", ko="차트: {title}. 표에 같은 수치가 있습니다."
    ),
    "chart_loading": Text(en="Drawing the chart…", ko="차트를 그리는 중…"),
    "chart_empty": Text(en="There is nothing to draw here.", ko="그릴 수치가 없습니다."),
    "chart_failed": Text(
        en="The chart could not be drawn here. The table has the same figures.",
        ko="여기서 차트를 그리지 못했습니다. 표에 같은 수치가 있습니다.",
    ),
    "sort": Text(en="Sort by this column", ko="이 열로 정렬"),
    "rows_all": Text(en="Show all {count} rows", ko="{count}행 모두 보기"),
    "rows_fewer": Text(en="Show fewer rows", ko="줄여서 보기"),
    "rows_cut": Text(
        en="The first {shown} of {count} rows. The file has all that were read.",
        ko="{count}행 중 처음 {shown}행입니다. 파일에는 읽은 행이 모두 있습니다.",
    ),
    "rows": Text(en="{count} rows", ko="{count}행"),
    "rows_one": Text(en="1 row", ko="1행"),
    "page_of": Text(en="{title}, page {page}", ko="{title} {page}쪽"),
    "page_missing": Text(
        en="Page {page} could not be shown. The download has it.",
        ko="{page}쪽을 표시하지 못했습니다. 내려받은 파일에는 있습니다.",
    ),
    "pages_more": Text(en="The first {shown} of {count} pages", ko="{count}쪽 중 처음 {shown}쪽"),
    "preview_failed": Text(en="No preview: {problem}", ko="미리보기를 만들 수 없습니다: {problem}"),
    "preview_loading": Text(en="Preparing the preview…", ko="미리보기를 준비하는 중…"),
    "open_document": Text(en="Open the document", ko="문서 열기"),
    "verdict_pass": Text(en="Nothing speaks against it", ko="위반 사항 없음"),
    "verdict_blocks": Text(en="Blocked by a rule", ko="규정에 막힘"),
    "verdict_opened": Text(en="Let through by a person", ko="담당자가 통과시킴"),
    "verdict_asks": Text(en="Cannot be judged yet", ko="아직 판단할 수 없음"),
    "verdict_warns": Text(en="Something to look at", ko="확인이 필요함"),
    "followups": Text(en="You could ask next", ko="이어서 물어볼 만한 질문"),
    "fork_here": Text(en="Branch off here", ko="여기서 갈라 새 대화"),
    "copy_answer": Text(en="Copy the answer", ko="답 복사"),
    # Why
    "why": Text(en="Why?", ko="근거"),
    "why_understood": Text(en="What was understood", ko="이해한 내용"),
    "why_assumed": Text(en="What was assumed", ko="가정한 내용"),
    "why_nothing_assumed": Text(en="Nothing was assumed.", ko="가정한 것이 없습니다."),
    "why_sources": Text(en="Where each figure comes from", ko="수치의 출처"),
    "why_rules": Text(en="Which rules were applied", ko="적용한 규정"),
    "why_packs": Text(en="Rule packs: {packs}", ko="규정 묶음: {packs}"),
    "why_shown_by": Text(en="Shown by: “{words}”", ko="근거: ‘{words}’"),
    "why_rows": Text(en="{value} in row {rows} (limit {limit})", ko="{rows}행의 값 {value} (한도 {limit})"),
    "why_rows_only": Text(en="{value} in row {rows}", ko="{rows}행의 값 {value}"),
    "why_rules_passed": Text(
        en="{count} other rules found nothing.", ko="그 밖의 규정 {count}건은 이상 없음."
    ),
    "why_warnings": Text(en="What to keep in mind", ko="유의할 점"),
    "why_unread": Text(en="Words that were not used: {words}", ko="쓰이지 않은 낱말: {words}"),
    "why_confidence": Text(en="Confidence", ko="신뢰도"),
    "why_intent": Text(en="Intent", ko="의도"),
    "why_metrics": Text(en="Figures", ko="수치"),
    "why_dimensions": Text(en="Split by", ko="구분"),
    "why_filters": Text(en="Limited to", ko="조건"),
    "why_period": Text(en="Period", ko="기간"),
    "why_memory": Text(en="From memory", ko="기억에서"),
    "why_evidence": Text(en="“{words}”: {reason}", ko="‘{words}’: {reason}"),
    "why_tables": Text(en="Read from {tables}: {count} rows", ko="{tables}에서 읽음: {count}행"),
    "why_tables_one": Text(en="Read from {tables}: 1 row", ko="{tables}에서 읽음: 1행"),
    "why_sql": Text(en="The query, as it ran", ko="실행한 쿼리"),
    "why_values": Text(en="With {values}", ko="값: {values}"),
    "why_document": Text(en="Read in the document {title}", ko="문서에서 읽음: {title}"),
    "why_plan": Text(en="Plan version {version}, {hash}", ko="계획 {version}판, {hash}"),
    "why_budget_one": Text(
        en="1 call, {tokens} tokens, {seconds} s", ko="호출 1회, 토큰 {tokens}개, {seconds}초"
    ),
    "why_budget": Text(
        en="{count} calls, {tokens} tokens, {seconds} s", ko="호출 {count}회, 토큰 {tokens}개, {seconds}초"
    ),
    "why_approved": Text(en="Decided", ko="결정"),
    "why_cost": Text(en="Spent", ko="사용량"),
    # Clarify and approve
    "asks_back": Text(en="One question first", ko="먼저 한 가지만 확인할게요"),
    "asks_step": Text(en="Question from the step “{step}”", ko="‘{step}’ 단계의 질문"),
    "own_answer": Text(en="Or answer in your own words", ko="직접 답하기"),
    "answer_it": Text(en="Answer", ko="답하기"),
    "plan_waits": Text(en="This plan waits for approval", ko="승인을 기다리는 계획입니다"),
    "plan_why": Text(en="Why it is asked about", ko="승인이 필요한 이유"),
    "plan_who": Text(
        en="You may decide, or anyone with the right to approve plans of others.",
        ko="본인이 결정하거나, 다른 사람의 계획을 승인할 권한이 있는 사람이 결정할 수 있습니다.",
    ),
    "plan_who_not": Text(
        en="Your roles do not let you approve it. Someone who may approve plans of others decides; this page shows it at once.",
        ko="승인 권한이 없습니다. 다른 사람의 계획을 승인할 수 있는 사람이 결정하면 여기에 바로 표시됩니다.",
    ),
    "approve": Text(en="Approve", ko="승인"),
    "approve_show": Text(en="Approve, show me before it acts", ko="승인하고 실행 직전에 보기"),
    "approve_show_why": Text(
        en="It runs up to the step that changes something outside, and shows you what that step would act on.",
        ko="외부에 변경을 남기는 단계 직전까지 실행한 뒤, 그 단계가 쓸 내용을 보여 줍니다.",
    ),
    "effect_waits": Text(
        en="This is what it would act on. Nothing has happened yet.",
        ko="이 내용으로 실행합니다. 아직 아무것도 바뀌지 않았습니다.",
    ),
    "let_happen": Text(en="Go ahead", ko="실행"),
    "reason_shown_first": Text(
        en="Whoever approved the plan wanted to see this first.",
        ko="계획을 승인한 사람이 실행 전에 보기를 원했습니다.",
    ),
    "would_store": Text(en="How it would be stored", ko="저장될 모습"),
    "would_store_unknown": Text(
        en="It cannot be told beforehand what this step does.", ko="이 단계가 하는 일은 미리 알 수 없습니다."
    ),
    "would_ask": Text(en="Before it stores anything, it would ask:", ko="저장하기 전에 다음을 묻습니다."),
    "would_store_file": Text(en="As the file {name}", ko="파일 {name}"),
    "would_store_texts": Text(en="{count} passages for search", ko="검색용 글 {count}개"),
    "would_store_texts_one": Text(en="One passage for search", ko="검색용 글 1개"),
    "would_store_rows": Text(
        en="Rows of {table}: {new} new, {replaced} replaced, {unchanged} unchanged",
        ko="{table} 표의 행: 새로 {new}개, 바뀌는 것 {replaced}개, 그대로 {unchanged}개",
    ),
    "row_new": Text(en="new", ko="새 행"),
    "row_after": Text(en="becomes", ko="바뀐 뒤"),
    "row_before": Text(en="was", ko="바뀌기 전"),
    "approve_edited": Text(en="Approve with changes", ko="수정해서 승인"),
    "reject": Text(en="Reject", ko="거절"),
    "reason": Text(en="Reason (on record)", ko="이유(기록에 남음)"),
    "step_drop": Text(en="Leave out the step “{name}”", ko="‘{name}’ 단계 빼기"),
    "step_keep": Text(en="Put back the step “{name}”", ko="‘{name}’ 단계 다시 넣기"),
    "step_up": Text(en="Move the step “{name}” up", ko="‘{name}’ 단계 위로"),
    "step_down": Text(en="Move the step “{name}” down", ko="‘{name}’ 단계 아래로"),
    "edit_set": Text(en="{what} of the step “{name}”: {value}", ko="‘{name}’ 단계의 {what}: {value}"),
    "edit_order": Text(en="In this order: {names}", ko="다음 순서로: {names}"),
    "edit_show": Text(en="Show what the step “{name}” acts on first", ko="‘{name}’ 단계의 대상을 먼저 보기"),
    "edit_words": Text(en="Change in words", ko="말로 수정"),
    "edit_words_hint": Text(
        en="drop s2; set s1.limit=5; order s2 s1", ko="빼기 s2; 변경 s1.limit=5; 순서 s2 s1"
    ),
    "verb_drop": Text(en="drop", ko="빼기"),
    "verb_set": Text(en="set", ko="변경"),
    "verb_order": Text(en="order", ko="순서"),
    "verb_show": Text(en="show", ko="보기"),
    "edit_becomes": Text(en="Will be approved as: {words}", ko="이렇게 승인됩니다: {words}"),
    "decided_approve": Text(
        en="Taken. The plan is checked and goes on.", ko="접수했습니다. 계획을 확인하고 진행합니다."
    ),
    "decided_reject": Text(en="Rejected. It does not run.", ko="거절했습니다. 실행하지 않습니다."),
    "reads": Text(en="Reads {what}", ko="읽음: {what}"),
    "makes": Text(en="Makes {what}", ko="만듦: {what}"),
    "after": Text(en="After step {what}", ko="{what}단계 다음"),
    "instead": Text(en="If it fails: {what}", ko="실패하면: {what}"),
    "params_open": Text(en="Settings left open", ko="정하지 않은 설정"),
    "params_open_why": Text(
        en="What stays empty is decided by the data and the rules.", ko="비워 두면 데이터와 규칙이 정합니다."
    ),
    "would_take": Text(
        en="Works on: {title} ({what} that step {step} makes)", ko="대상: {title} ({step}단계가 만들 {what})"
    ),
    "params": Text(en="With {what}", ko="값: {what}"),
    "changes_outside": Text(en="Changes something outside", ko="외부 변경"),
    "risk_low": Text(en="Low risk", ko="위험 낮음"),
    "risk_medium": Text(en="Medium risk", ko="위험 보통"),
    "risk_high": Text(en="High risk", ko="위험 높음"),
    "risk_critical": Text(en="Critical risk", ko="위험 매우 높음"),
    "reason_always": Text(
        en="Every plan is approved by a person here.", ko="여기서는 모든 계획에 승인이 필요합니다."
    ),
    "reason_side_effects": Text(en="{name} changes something outside.", ko="{name}: 외부에 변경을 남깁니다."),
    "reason_agent": Text(en="{name} is always asked about.", ko="{name}: 늘 승인을 받습니다."),
    "reason_risk": Text(en="{name} is declared risky.", ko="{name}: 위험하다고 선언되었습니다."),
    "reason_cost": Text(en="It costs {name}.", ko="비용이 {name}입니다."),
    "reason_role": Text(
        en="It is asked by somebody with the role “{name}”.", ko="‘{name}’ 역할로 한 질문입니다."
    ),
    "gate_title": Text(en="Held back by a check", ko="규정 확인에서 막혔습니다"),
    "gate_held": Text(
        en="The step “{step}” was not started, and nothing of it happened. What the check found:",
        ko="‘{step}’ 단계는 시작하지 않았고 아무것도 실행되지 않았습니다. 확인에서 찾은 것:",
    ),
    "gate_who": Text(
        en="A compliance officer other than the one who asked may let it through, with a reason.",
        ko="질문한 사람이 아닌 준법 담당자가 이유를 남기고 통과시킬 수 있습니다.",
    ),
    "let_through": Text(en="Let it through", ko="통과시키기"),
    "keep_back": Text(en="Keep it back", ko="막아 두기"),
    "reason_needed": Text(en="Give a reason: it is on record.", ko="이유를 적으세요. 기록에 남습니다."),
    "would_be": Text(en="As it will be", ko="실제 내용"),
    # Conversations
    "sessions_title": Text(en="Conversations", ko="대화"),
    "sessions_intro": Text(
        en="Yours, and what colleagues share with you. Search looks at titles.",
        ko="내 대화와 동료가 공유한 대화입니다. 제목에서 찾습니다.",
    ),
    "sessions_empty": Text(en="No conversation yet.", ko="아직 대화가 없습니다."),
    "sessions_none": Text(
        en="No conversation contains “{text}”.", ko="‘{text}’이(가) 들어 있는 대화가 없습니다."
    ),
    "untitled": Text(en="(cannot be read)", ko="(읽을 수 없음)"),
    "turn_count": Text(en="{count} questions", ko="질문 {count}개"),
    "turn_count_one": Text(en="1 question", ko="질문 1개"),
    "status_running": Text(en="working", ko="처리 중"),
    "status_queued": Text(en="queued", ko="대기 중"),
    "status_waiting": Text(en="waits for an answer", ko="답을 기다림"),
    "status_interrupted": Text(en="cut off", ko="끊김"),
    "status_failed": Text(en="not answered", ko="답하지 못함"),
    "fork": Text(en="Copy as a new conversation", ko="새 대화로 복사"),
    "export": Text(en="Export without personal data", ko="개인정보 없이 내보내기"),
    "delete": Text(en="Delete", ko="삭제"),
    "deleting": Text(
        en="“{title}” will be deleted in {seconds} s with everything made in it.",
        ko="‘{title}’ 대화와 그 안에서 만든 것을 {seconds}초 뒤에 삭제합니다.",
    ),
    "deleted": Text(en="Deleted.", ko="삭제했습니다."),
    "forked": Text(en="A new conversation goes on from here.", ko="여기서 이어지는 새 대화를 만들었습니다."),
    "search_sessions": Text(en="Search conversations", ko="대화 검색"),
    # Approvals
    "approvals_title": Text(en="Approvals", ko="승인"),
    "approvals_intro": Text(
        en="Plans and held-back results that you may decide on, your own and others'.",
        ko="결정할 수 있는 계획과 보류된 결과입니다. 본인과 다른 사람의 것이 모두 보입니다.",
    ),
    "approvals_empty": Text(en="Nothing waits for you.", ko="기다리는 것이 없습니다."),
    "asked_by": Text(en="{person} asked on {since}", ko="{person} 님이 {since}에 질문"),
    "decision_approve": Text(
        en="Approved. The answer is for {person}.", ko="승인했습니다. 답은 {person} 님이 봅니다."
    ),
    "decision_reject": Text(
        en="Rejected. {person} sees your reason.", ko="거절했습니다. {person} 님이 이유를 볼 수 있습니다."
    ),
    # Memory
    "memory_title": Text(en="Memory", ko="기억"),
    "memory_intro": Text(
        en="What is kept of you across conversations, and used when a question leaves it open.",
        ko="대화를 넘어 기억하는 내용입니다. 질문에서 밝히지 않은 것을 채울 때 씁니다.",
    ),
    "memory_empty": Text(en="Nothing is remembered of you.", ko="기억하는 내용이 없습니다."),
    "memory_add": Text(en="Tell it something to remember", ko="기억할 내용 추가"),
    "memory_text": Text(en="What is to be remembered", ko="기억할 내용"),
    "memory_hint": Text(en="My region is Busan", ko="내 담당 지역은 부산"),
    "remember": Text(en="Remember", ko="기억하기"),
    "correct": Text(en="Correct", ko="고치기"),
    "correct_one": Text(en="Correct: {text}", ko="고치기: {text}"),
    "corrected": Text(en="Corrected.", ko="고쳤습니다."),
    "forget": Text(en="Forget", ko="잊기"),
    "forget_one": Text(en="Forget: {text}", ko="잊기: {text}"),
    "forgotten": Text(en="Forgotten.", ko="잊었습니다."),
    "remembered": Text(en="Remembered.", ko="기억했습니다."),
    "memory_kind_fact": Text(en="fact", ko="사실"),
    "memory_kind_preference": Text(en="preference", ko="선호"),
    "memory_kind_conclusion": Text(en="conclusion", ko="결론"),
    "memory_until": Text(en="kept until {day}", ko="{day}까지 보관"),
    # Documents
    "documents_title": Text(en="Documents", ko="문서"),
    "documents_intro": Text(
        en="Reports and forms that were written here, each with its versions, comments and approvals.",
        ko="여기서 작성한 보고서와 서식입니다. 판, 의견, 승인 기록이 함께 있습니다.",
    ),
    "documents_empty": Text(
        en="No document yet. Ask for one: “Write a report on last month's sales”.",
        ko="아직 문서가 없습니다. ‘지난달 매출 보고서를 작성해 줘’라고 물어보세요.",
    ),
    "version": Text(en="Version {version}", ko="{version}판"),
    "status_draft": Text(en="draft", ko="초안"),
    "status_in_review": Text(en="in review", ko="검토 중"),
    "status_approved": Text(en="approved", ko="승인됨"),
    "status_released": Text(en="released", ko="배포됨"),
    "status_withdrawn": Text(en="withdrawn", ko="회수됨"),
    "versions": Text(en="Versions", ko="판 이력"),
    "notes": Text(en="Comments and findings", ko="의견과 확인 결과"),
    "notes_empty": Text(en="Nothing was said yet.", ko="아직 의견이 없습니다."),
    "comment": Text(en="Comment", ko="의견 남기기"),
    "comment_hint": Text(en="Say something on this version", ko="이 판에 대한 의견"),
    "release": Text(en="Release", ko="배포"),
    "restore_version": Text(en="Restore version {version}", ko="{version}판 복원"),
    "released": Text(en="Released.", ko="배포했습니다."),
    "document_approved": Text(en="Approved.", ko="승인했습니다."),
    "blocked_release": Text(
        en="Not released: a rule speaks against it. See the findings.",
        ko="배포하지 않았습니다. 규정 위반 소지가 있습니다. 확인 결과를 보세요.",
    ),
    "changes_from": Text(en="Changes since version {version}", ko="{version}판과 달라진 점"),
    "changes_more": Text(
        en="{count} more changes are in the file.", ko="파일에 {count}곳이 더 달라졌습니다."
    ),
    "change_added": Text(en="added", ko="추가"),
    "change_removed": Text(en="removed", ko="삭제"),
    "change_changed": Text(en="changed", ko="변경"),
    "no_changes": Text(en="Nothing changed.", ko="달라진 점이 없습니다."),
    "by": Text(en="by {author}", ko="작성: {author}"),
    "back_documents": Text(en="All documents", ko="문서 목록"),
    "edited_file": Text(en="Upload an edited DOCX", ko="편집한 DOCX 올리기"),
    # Knowledge
    "knowledge_add": Text(en="Add a document", ko="문서 추가"),
    "knowledge_add_means": Text(
        en="The document is read, split into passages and searched from then on. One of the same name that was added here is "
        "replaced.",
        ko="문서를 읽어 검색할 수 있게 합니다. 여기서 추가한 같은 이름의 문서가 있으면 바꿉니다.",
    ),
    "knowledge_file": Text(
        en="File (PDF, DOCX, HWPX, Markdown, text, …)", ko="파일(PDF, DOCX, HWPX, Markdown, 텍스트 등)"
    ),
    "knowledge_for": Text(en="Who may search it", ko="검색할 수 있는 사람"),
    "knowledge_company": Text(en="The company", ko="회사"),
    "knowledge_mine": Text(en="Only me", ko="나만"),
    "knowledge_collection": Text(en="Collection", ko="컬렉션"),
    "knowledge_label": Text(en="Label", ko="등급"),
    "knowledge_label_same": Text(en="As the collection has it", ko="컬렉션의 등급대로"),
    "uploading_document": Text(en="Uploading and reading the document…", ko="문서를 올려 읽는 중…"),
    "knowledge_title": Text(en="Knowledge", ko="지식"),
    "knowledge_intro": Text(
        en="Documents that questions are answered from. You see those that your roles may search.",
        ko="답의 근거가 되는 문서입니다. 검색할 권한이 있는 문서만 보입니다.",
    ),
    "knowledge_empty": Text(en="No document can be searched yet.", ko="아직 검색할 수 있는 문서가 없습니다."),
    "knowledge_none": Text(
        en="No title contains “{text}”.", ko="제목에 ‘{text}’이(가) 들어 있는 문서가 없습니다."
    ),
    "knowledge_remove": Text(en="Remove {title}", ko="{title} 삭제"),
    "knowledge_remove_means": Text(
        en="Nobody finds it from then on: its text and its place in the index are removed for good.",
        ko="본문과 색인이 완전히 삭제되어 더는 아무도 찾을 수 없습니다.",
    ),
    "knowledge_removed": Text(en="Removed with its text and index.", ko="본문과 색인까지 삭제했습니다."),
    "knowledge_find": Text(en="Filter by title", ko="제목으로 거르기"),
    "label_public": Text(en="public", ko="공개"),
    "label_internal": Text(en="internal", ko="사내"),
    "label_confidential": Text(en="confidential", ko="대외비"),
    "chunks": Text(en="{count} passages", ko="구절 {count}개"),
    "chunks_one": Text(en="1 passage", ko="구절 1개"),
    "fact_collection": Text(en="Collection", ko="컬렉션"),
    "fact_label": Text(en="Label", ko="등급"),
    "fact_valid_from": Text(en="In force from", ko="시행일"),
    "fact_valid_to": Text(en="In force until", ko="만료일"),
    "back_knowledge": Text(en="All knowledge", ko="지식 목록"),
    "passage": Text(en="Passage", ko="인용한 부분"),
    "passage_table": Text(en="Table of the document", ko="문서의 표"),
    "passage_open": Text(en="Open the whole document", ko="문서 전체 보기"),
    "cut_text": Text(en="The first {count} characters.", ko="처음 {count}자까지입니다."),
    # Agents
    "agents_title": Text(en="Agents", ko="에이전트"),
    "agents_intro": Text(
        en="Who does the work, what each may read and make, and what could not be loaded.",
        ko="일을 하는 에이전트와 각자의 입력과 산출물, 불러오지 못한 것을 보여 줍니다.",
    ),
    "agent_on": Text(en="on", ko="켜짐"),
    "agent_off": Text(en="switched off", ko="꺼짐"),
    "switch_off": Text(en="Switch off", ko="끄기"),
    "switch_on": Text(en="Switch on", ko="켜기"),
    "agent_switch": Text(en="{action}: {name}", ko="{name} {action}"),
    "switched_off": Text(
        en="{name} is switched off, also for questions that are being worked on.",
        ko="{name} 에이전트를 더는 시작하지 않습니다.",
    ),
    "switched_on": Text(en="{name} works again.", ko="{name} 에이전트를 다시 씁니다."),
    "agent_takes": Text(en="Takes", ko="입력"),
    "agent_makes": Text(en="Makes", ko="산출물"),
    "agent_needs": Text(en="Uses", ko="사용"),
    "agents_failed": Text(en="Could not be loaded", ko="불러오지 못한 에이전트"),
    "agents_refused": Text(en="Not allowed in this installation", ko="이 설치에서 허용하지 않음"),
    "agents_refused_why": Text(
        en="{names}. Whoever runs this installation can allow them.",
        ko="{names}. 설치를 운영하는 사람이 허용할 수 있습니다.",
    ),
    "does_memory": Text(en="Remember what you ask me to", ko="요청한 내용 기억하기"),
    "does_data_analysis": Text(en="Analyse the data", ko="데이터 분석"),
    "does_compliance_validation": Text(en="Check against the rules", ko="규정 위반 확인"),
    "does_storage_decision": Text(en="Store it where it belongs", ko="알맞은 곳에 저장"),
    "does_document_generation": Text(en="Write the document", ko="문서 작성"),
    "does_information_retrieval": Text(en="Search documents", ko="자료 검색"),
    # What agents take, make, use and are told
    "thing_dataset": Text(en="table of figures", ko="수치 표"),
    "thing_chart": Text(en="chart", ko="차트"),
    "thing_document": Text(en="document", ko="문서"),
    "thing_passages": Text(en="passages of documents", ko="문서 구절"),
    "thing_verdict": Text(en="verdict", ko="준법 판정"),
    "thing_file": Text(en="file", ko="파일"),
    "thing_memories": Text(en="memories", ko="기억"),
    "thing_stored": Text(en="receipt of what was stored", ko="저장 확인서"),
    "port_db": Text(en="database", ko="데이터베이스"),
    "port_vectors": Text(en="index of meanings", ko="의미 색인"),
    "port_llm": Text(en="language model", ko="언어 모델"),
    "port_files": Text(en="files", ko="파일"),
    "port_artifacts": Text(en="results so far", ko="지금까지의 결과"),
    "port_clock": Text(en="clock", ko="시계"),
    "port_user": Text(en="who asks", ko="질문한 사람"),
    "port_memory": Text(en="memory", ko="기억"),
    "port_records": Text(en="company records", ko="회사 기록"),
    "port_effects": Text(en="changes outside", ko="외부 변경"),
    "port_rules": Text(en="rules", ko="규정"),
    "port_templates": Text(en="templates", ko="서식"),
    "port_library": Text(en="documents", ko="문서고"),
    "port_web": Text(en="web search", ko="웹 검색"),
    "port_log": Text(en="log", ko="로그"),
    "port_progress": Text(en="progress", ko="진행 상황"),
    "param_document_type": Text(en="Kind of document", ko="문서 종류"),
    "param_template": Text(en="Template", ko="서식"),
    "param_formats": Text(en="File formats", ko="파일 형식"),
    "param_standard": Text(en="Standard", ko="규격"),
    "param_table": Text(en="Table to store in", ko="저장할 표"),
    "param_uses": Text(en="Kept for", ko="쓰임새"),
    "param_sensitivity": Text(en="Sensitivity", ko="민감도"),
    "param_retention_days": Text(en="Days to keep it", ko="보관 일수"),
    "param_label": Text(en="Label", ko="이름표"),
    "param_record": Text(en="Record", ko="기록할 값"),
    "one_of": Text(en=" or ", ko=" 또는 "),
    "if_there": Text(en="if there is any: {what}", ko="있으면: {what}"),
    "intent_lookup": Text(en="figures", ko="수치 조회"),
    "intent_analysis": Text(en="analysis", ko="분석"),
    "intent_compare": Text(en="comparison", ko="비교"),
    "intent_trend": Text(en="course over time", ko="추이"),
    "intent_rank": Text(en="ranking", ko="순위"),
    "intent_explain": Text(en="explanation", ko="원인 설명"),
    "intent_document": Text(en="a document", ko="문서 작성"),
    "intent_search": Text(en="search in documents", ko="문서 검색"),
    "intent_compliance": Text(en="check against the rules", ko="규정 확인"),
    "intent_storage": Text(en="storing", ko="저장"),
    "intent_memory": Text(en="remembering", ko="기억"),
    # Review
    "review_title": Text(en="Review", ko="감사"),
    "review_intro": Text(
        en="The signed trail of who did what, by which plan, rule and data. Looking is on record, too.",
        ko="누가 어떤 계획과 규정, 데이터로 무엇을 했는지 서명된 기록입니다. 열람도 기록에 남습니다.",
    ),
    "review_person": Text(en="Person", ko="사람"),
    "person_sealed": Text(en="person {code}", ko="사람 {code}"),
    "review_person_hint": Text(en="name, or person …", ko="이름 또는 사람 …"),
    "review_event": Text(en="Event", ko="사건"),
    "review_agent": Text(en="Agent", ko="에이전트"),
    "review_outcome": Text(en="Outcome", ko="결과"),
    "review_rule": Text(en="Rule that found something", ko="위반을 찾은 규정"),
    "review_rule_hint": Text(en="part of its name", ko="이름의 일부"),
    "review_text": Text(en="Text or fingerprint", ko="글자 또는 지문"),
    "review_text_hint": Text(en="in the whole entry", ko="항목 전체에서"),
    "review_since": Text(en="From", ko="시작"),
    "review_until": Text(en="To", ko="끝"),
    "review_session": Text(en="Conversation", ko="대화"),
    "any": Text(en="any", ko="전체"),
    "review_empty": Text(en="No entries match.", ko="맞는 항목이 없습니다."),
    "review_seq": Text(en="No.", ko="번호"),
    "review_time": Text(en="Time", ko="시각"),
    "review_apply": Text(en="Show", ko="보기"),
    "review_entries": Text(en="{count} entries", ko="항목 {count}개"),
    "review_entries_cut": Text(
        en="The newest {count} matches; there are older ones.",
        ko="조건에 맞는 최근 {count}개입니다. 더 오래된 항목이 있습니다.",
    ),
    "outcome_done": Text(en="done", ko="완료"),
    "outcome_refused": Text(en="refused", ko="거부됨"),
    "outcome_valid": Text(en="valid", ko="유효"),
    "outcome_completed": Text(en="completed", ko="완료"),
    "outcome_failed": Text(en="failed", ko="실패"),
    "outcome_cancelled": Text(en="cancelled", ko="취소됨"),
    "outcome_waiting": Text(en="waiting", ko="기다림"),
    "outcome_approved": Text(en="approved", ko="승인됨"),
    "outcome_rejected": Text(en="rejected", ko="거절됨"),
    "outcome_open": Text(en="not held back", ko="막지 않음"),
    "outcome_invalid": Text(en="not valid", ko="유효하지 않음"),
    "outcome_not_judged": Text(en="not judged yet", ko="판정 전"),
    "outcome_blocked": Text(en="blocked", ko="막힘"),
    "outcome_skipped": Text(en="skipped", ko="건너뜀"),
    "outcome_passed": Text(en="passed", ko="통과"),
    "outcome_violated": Text(en="violated", ko="위반"),
    "outcome_unknown": Text(en="could not be judged", ko="판단할 수 없음"),
    "review_older": Text(en="Older entries", ko="이전 항목 보기"),
    "verify": Text(en="Verify the trail", ko="기록 검증"),
    "verifying": Text(en="Checking every entry and signature…", ko="모든 항목과 서명을 확인하는 중…"),
    "verified": Text(en="Verified", ko="검증됨"),
    "verified_what": Text(
        en="All {entries} entries from {first} to {last}: each hash was computed again from the stored bytes and links to the "
        "one before.",
        ko="{first}번부터 {last}번까지 항목 {entries}개의 해시를 저장된 값에서 다시 계산했고, 각각 앞 항목과 이어집니다.",
    ),
    "verified_anchor": Text(
        en="Signed notes of this installation, kept outside the database, vouch for the entries up to {signed}. What is "
        "newer ({open}) follows the chain and is signed next.",
        ko="데이터베이스 밖에 둔 이 설치의 서명이 {signed}번까지 보증합니다. 그 뒤 {open}개는 사슬로만 이어지며 다음에 서명됩니다.",
    ),
    "verified_limit": Text(
        en="A copy of the whole installation put back as it once was shows only against a note that was kept elsewhere. "
        "Whoever runs the installation can compare the two.",
        ko="설치 전체를 예전 상태로 되돌린 것은 따로 보관한 서명과 비교해야 드러납니다. 설치를 운영하는 사람이 비교할 수 있습니다.",
    ),
    "not_verified": Text(
        en="NOT verified: do not rely on what is named here. Tell whoever runs the installation, and let nothing be deleted "
        "until it is explained.",
        ko="검증되지 않음: 아래 항목을 믿지 마세요. 설치를 운영하는 사람에게 알리고 원인이 밝혀질 때까지 아무것도 지우지 마세요.",
    ),
    "follow": Text(en="Follow", ko="추적"),
    "account": Text(en="What happened, in order", ko="있었던 일, 순서대로"),
    "account_of": Text(en="Conversation {session}", ko="대화 {session}"),
    "account_asked": Text(en="“{question}”", ko="‘{question}’"),
    "account_sealed": Text(en="A question that is sealed", ko="봉인된 질문"),
    "account_beside": Text(en="Besides the questions", ko="질문 밖에서 있었던 일"),
    "account_wanted": Text(en="Wanted", ko="요청한 일"),
    "account_by": Text(en="By", ko="결정한 사람"),
    "account_error": Text(en="Error", ko="오류"),
    "account_plan_version": Text(en="Plan version", ko="계획 판"),
    "account_version": Text(en="Version", ko="판"),
    "account_attempts": Text(en="Attempts", ko="시도"),
    "account_sql": Text(en="Fingerprint of the query", ko="쿼리 지문"),
    "account_verdict": Text(en="Fingerprint of the verdict", ko="판정 지문"),
    "account_answer": Text(en="Fingerprint of the answer", ko="답의 지문"),
    "account_rules_sealed": Text(
        en="{count} rules, sealed: show the personal parts to read them",
        ko="규정 {count}건, 봉인됨: 개인 정보를 보면 읽을 수 있습니다",
    ),
    "account_rules_applied": Text(en="{count} rules", ko="규정 {count}건"),
    "account_rules_more": Text(en="{count} found nothing", ko="{count}건 이상 없음"),
    "reason_given": Text(en="Reason", ko="이유"),
    "entry": Text(en="Entry {seq}", ko="{seq}번 항목"),
    "open_entry": Text(en="Open entry {seq}", ko="{seq}번 항목 열기"),
    "bare_entry": Text(en="The entry as it is stored", ko="저장된 그대로의 항목"),
    "reveal": Text(en="Show personal parts (on record)", ko="개인 정보 보기(기록에 남음)"),
    "back_review": Text(en="The whole trail", ko="전체 기록"),
    "export_jsonl": Text(en="Export (verifiable)", ko="내보내기(검증 가능)"),
    "export_csv": Text(en="Export for a spreadsheet", ko="스프레드시트로 내보내기"),
}


@dataclass(frozen=True)
class Words:
    """The texts in one language."""

    language: str

    def __call__(self, key: str, **values: object) -> str:
        return WORDS[key].say(self.language, **values)

    def of(self, text: Text, **values: object) -> str:
        return text.say(self.language, **values)

    def either(self, key: str, fallback: str) -> str:
        """The text of a key that data made, or the data's own word where there is none."""
        return self(key) if key in WORDS else fallback

    def things(self, named: Iterable[str]) -> str:
        """Kinds of artifacts and ports in words: `document|dataset?` is one of two, if there is one."""
        all_ = list(named)
        sure, perhaps = (
            ", ".join(self._thing(each) for each in all_ if each.endswith("?") == optional)
            for optional in (False, True)
        )
        return "; ".join(filter(None, (sure, self("if_there", what=perhaps) if perhaps else "")))

    def _thing(self, name: str) -> str:
        kinds = name.removesuffix("?").split("|")
        return self("one_of").join(
            self.either(f"thing_{each}", self.either(f"port_{each}", each)) for each in kinds
        )

    def roles(self, named: Iterable[str]) -> str:
        """Roles in words, none twice; one that a company made as it is called there."""
        said = (self.either(f"role_{each}", each.replace("_", " ")) for each in named)
        return ", ".join(dict.fromkeys(said))

    def knows(self, key: str) -> bool:
        return key in WORDS

    def counted(self, key: str, count: int, **values: object) -> str:
        one = f"{key}_one"
        return self(one if count == 1 and one in WORDS else key, count=count, **values)


def language_of(accepted: str) -> str:
    """The language that a browser prefers, of those that we speak."""
    for part in accepted.split(","):
        tag = part.split(";")[0].strip().lower()
        if tag.startswith(("ko", "en")):
            return tag[:2]
    return "en"
