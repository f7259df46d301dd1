"""The page's pure parts: text as blocks, edits of a plan in words, a turn as its events tell it, languages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from metaagent.access.rights import BUILT_IN, DENIED_AGENT, OPERATIONS, denied, lacked
from metaagent.audit.right_words import right_words
from metaagent.level1.planning.decisions import worded_edits
from metaagent.registry import Registry, installed
from metaagent.web.page import words as words_module
from metaagent.web.page.account import account_of, agent_said, person_said
from metaagent.web.page.elements import DATE
from metaagent.web.page.plain import plain, told
from metaagent.web.page.progress import Progress
from metaagent.web.page.views import (
    blocks_of,
    held,
    passage_of,
    rows_at_first,
    rule_said,
    seconds_said,
    steps_of,
    table_of,
    warnings_of,
    worded_reasons,
)
from metaagent.web.page.waiting import PlanEdit
from metaagent.web.page.words import WORDS, Words, language_of

EN, KO = Words("en"), Words("ko")


def texts(blocks: list[dict[str, Any]]) -> list[str]:
    return ["".join(part.get("text", "") for part in block.get("parts", ())) for block in blocks]


def test_markup_in_an_answer_stays_text():
    said = "<b>bold</b> & <script>x</script>"
    (block,) = blocks_of(said, (), EN)
    assert texts([block]) == [said]
    assert block["tag"] == "p"


def test_lists_and_emphasis_become_blocks():
    blocks = blocks_of("Sum **12** of `x`\n- one\n- two\n1. first", (), EN)
    assert [block["tag"] for block in blocks] == ["p", "ul", "ol"]
    assert {"text": "12", "strong": True, "code": False} in blocks[0]["parts"]
    assert len(blocks[1]["items"]) == 2


def test_only_known_citations_can_be_opened():
    cited = [{"n": 1, "title": "Standard"}]
    (block,) = blocks_of("limit 100 [1] and [2]\n[1] Standard › Article 1", cited, EN)
    assert {"cite": 1, "label": "Source 1: Standard"} in block["parts"]
    assert texts([block]) == ["limit 100  and [2]"]


def test_table_hides_hidden_columns_and_reads_ratios():
    columns = [
        {"name": "r", "label": "region", "type": "text"},
        {"name": "k", "label": "key", "type": "text", "hidden": True},
        {"name": "c", "label": "change", "type": "number", "unit": "ratio"},
    ]
    view = table_of({"columns": columns, "rows": [["Seoul", "s", 0.123], ["Busan", "b", None]]}, "t", EN)
    assert [column["label"] for column in view["columns"]] == ["Region", "Change"]
    assert view["shown"] == [["Seoul", "12.3%"], ["Busan", "–"]]
    assert view["rows"] == [["Seoul", 0.123], ["Busan", None]]


def test_passage_is_read_as_headings_paragraphs_and_tables():
    text = "Rules\n\nArticle 1 (Limits)\n\nItem | Limit\nMeals | 50\n\nOne line\nof two.\n\nThe end"
    start = text.index("Meals")
    blocks = passage_of(text, start, start + len("Meals | 50"))
    assert [block.get("tag", "table") for block in blocks] == ["h4", "h4", "table", "p", "p"]
    said = [[cell[0]["text"] for cell in row] for row in blocks[2]["rows"]]
    assert said == [["Item", "Limit"], ["Meals", "50"]]
    assert [[cell[0]["mark"] for cell in row] for row in blocks[2]["rows"]] == [[False] * 2, [True] * 2]
    assert not any(part["mark"] for block in (*blocks[:2], *blocks[3:]) for part in block["parts"])


@pytest.mark.parametrize(("start", "end"), [(0, 0), (4, 9), (0, 99), (15, 30), (60, 70), (9, 4)])
def test_passage_marks_what_was_cited_and_loses_nothing(start: int, end: int):
    text = "the words that count.\n\nThe rest stands | here."
    parts = [part for block in passage_of(text, start, end) for part in block["parts"]]
    assert "".join(part["text"] for part in parts) == text.replace("\n", "")
    assert "".join(part["text"] for part in parts if part["mark"]) == text[start:end].replace("\n", "")


def test_table_folds_only_what_is_worth_a_press():
    assert [rows_at_first(count) for count in (0, 10, 13, 14, 500)] == [0, 10, 13, 10, 10]


def test_things_and_ports_are_said_in_words():
    assert EN.things(["document|dataset?", "db"]) == "database; if there is any: document or table of figures"
    assert Words("ko").things(["file", "own_kind"]) == "파일, own_kind"


def test_reasons_are_words_of_the_question_alone():
    said = {"conclusion": "intent=rank", "evidence": ["top"], "reason": "the word 'top' shows it"}
    kinds = {"conclusion": "intent=lookup", "evidence": ["metric", "dimension"], "reason": "metric is named"}
    intents = [{"intent": "rank", "rule": "one_word"}, {"intent": "lookup", "rule": "implied"}]
    assert worded_reasons({"parsed_intents": intents, "explanations": [said, kinds]}) == [said]


def test_no_step_runs_while_a_turn_waits():
    steps = [{"step_id": "s1", "status": "completed"}, {"step_id": "s2", "status": "in_progress"}]
    assert [each["status"] for each in held(steps)] == ["completed", "asks"]


def test_edits_are_said_in_the_language_of_approvals():
    edit = PlanEdit(["s1", "s2", "s3"])
    assert edit.said() == ""
    edit.dropped.add("s2")
    edit.move("s3", -2)
    edit.params["s1", "limit"] = "5"
    assert edit.said() == "drop s2; set s1.limit=5; order s3 s1"
    assert worded_edits(edit.said()) == {
        "drop": ["s2"],
        "params": {"s1": {"limit": 5}},
        "order": ["s3", "s1"],
    }


@pytest.mark.parametrize("words", [EN, KO])
def test_edits_said_in_either_language_are_understood(words: Words):
    edit = PlanEdit(["s1", "s2", "s3"], verb=lambda name: words(f"verb_{name}"))
    edit.dropped.add("s2")
    edit.move("s3", -2)
    edit.params["s1", "limit"] = "5"
    edit.show = ("s3",)
    told = {"drop": ["s2"], "params": {"s1": {"limit": 5}}, "order": ["s3", "s1"], "show": ["s3"]}
    assert worded_edits(edit.said()) == told
    assert any("가" <= sign <= "힣" for sign in edit.said()) == (words is KO)


def test_dropped_step_takes_along_what_needs_it():
    uses = {"s2": frozenset({"s1"}), "s3": frozenset({"s2"})}
    edit = PlanEdit(["s1", "s2", "s3", "s4"], uses)
    edit.drop("s2")
    assert edit.said() == "drop s2 s3"
    edit.keep("s3")
    assert edit.said() == ""


def test_record_is_read_in_words_with_its_rules():
    sealed = {
        "seq": 7, "ts": "2026-11-17T19:20:25.009Z", "event": "rules.judged", "outcome": "blocked", "turn": "t1",
        "agent": "compliance_validation", "actor": "u-1", "data": {"rules": ["h:12", "h:34"], "verdict": "b4ebd9e20b375282"},
    }  # fmt: skip
    rules = [
        "medical_law 2024.6 498a entertainment violated critical ae07",
        "fair_trade 2024.5 11 gift passed low 2",
    ]
    opened = {**sealed, "pii": {"rules": rules}}
    registry = Registry({})
    (part,) = account_of([sealed], EN, registry, str)
    assert ("Fingerprint of the verdict", "b4ebd9e20b37") in part.lines[0].facts
    assert part.lines[0].facts[-1][1].startswith("2 rules, sealed")
    (part,) = account_of([opened], EN, registry, str)
    assert part.lines[0].facts[-1][1] == "entertainment · medical law (2024.6): violated; 1 found nothing"
    ran = {**sealed, "event": "agent.ran", "pii": {"rules": ["entertainment", "gift"]}}
    titles = {"medical_law/entertainment": "접대", "medical_law": "의료법"}
    (part,) = account_of([opened], KO, registry, str, titles)
    assert part.lines[0].facts[-1][1] == "접대 · 의료법 (2024.6): 위반; 1건 이상 없음"
    (part,) = account_of([ran], EN, registry, str)
    assert part.lines[0].facts[-1][1] == "2 rules", "what came of them is not known here"


def test_finished_step_says_how_often_it_was_tried():
    (shown,) = steps_of([{"step_id": "s1", "status": "completed", "attempts": 3}], (), {})
    assert shown["tries"] == 3


def test_move_stays_within_the_plan():
    edit = PlanEdit(["s1", "s2"])
    edit.move("s1", -1)
    edit.move("s2", 5)
    assert edit.order == ["s1", "s2"]


def step(status: str, error: str | None = None) -> dict[str, Any]:
    return {"step_id": "s1", "description": "d", "status": status, "error": error}


def test_progress_counts_tries_and_ignores_what_it_saw():
    progress = Progress()
    assert progress.take({"seq": 1, "type": "planning_start"})
    assert progress.take({"seq": 2, "type": "todo_updated", "steps": [step("in_progress")]})
    assert not progress.take({"seq": 2, "type": "error"})
    assert progress.take({"seq": 3, "type": "todo_updated", "steps": [step("in_progress", "busy")]})
    assert progress.take({"seq": 4, "type": "todo_updated", "steps": [step("in_progress", "busy")]})
    assert progress.tries == {"s1": 2}
    assert progress.said(EN) == "Working on it: 0 of 1 steps done"


def test_progress_says_when_a_turn_comes_to_wait():
    progress = Progress()
    progress.take({"seq": 1, "type": "clarification_needed"})
    assert progress.asks
    progress.take({"seq": 2, "type": "todo_updated", "steps": [step("completed")]})
    assert progress.asks
    progress.take({"seq": 3, "type": "response"})
    assert progress.over
    assert not progress.asks


@pytest.mark.parametrize(
    ("accepted", "language"),
    [("ko-KR,ko;q=0.9,en;q=0.8", "ko"), ("en-GB", "en"), ("fr-FR,ko;q=0.5", "ko"), ("de", "en"), ("", "en")],
)
def test_language_is_the_first_of_ours(accepted: str, language: str):
    assert language_of(accepted) == language


def test_every_text_exists_in_both_languages():
    import string

    def names(said: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(said) if name}

    for key, text in WORDS.items():
        assert text.en.strip(), key
        assert text.ko.strip(), key
        assert names(text.en) == names(text.ko), key


def test_how_agents_are_run_is_told_to_those_who_run_them():
    outcome = {
        "warnings": [{"code": "loop_blocked", "text": "held up"}, {"code": "stale", "text": "old data"}]
    }
    assert warnings_of(outcome, operates=False) == ["old data"]
    assert warnings_of(outcome, operates=True) == ["held up", "old data"]


def test_version_of_a_document_is_none_of_a_plan():
    entry = {"seq": 1, "ts": "t", "turn": None, "actor": "u", "outcome": "done", "event": "document.exported"}
    told = {"plan": {"version": 2, "hash": "f" * 64}, "document": {"version": 2}}
    lines = {
        name: account_of([{**entry, "data": data}], EN, Registry({}), str)[0].lines[0].facts
        for name, data in told.items()
    }
    assert lines == {"plan": (("Plan version", f"2 · {'f' * 12}"),), "document": (("Version", "2"),)}


def _named(tree: ast.AST) -> Iterator[re.Pattern[str]]:
    """Each text of a program as a pattern of the names that it may be."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield re.compile(re.escape(node.value) + "(_one)?")
        elif isinstance(node, ast.JoinedStr):
            parts = (
                re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".*" for part in node.values
            )
            yield re.compile("".join(map(str, parts)))


def test_every_word_of_the_page_can_be_shown():
    folder = Path(words_module.__file__).parent
    sources = [path for path in folder.glob("*.py") if path.name != "words.py"]
    trees = [ast.parse(path.read_text("utf-8")) for path in sources]
    known = [each for tree in trees for each in _named(tree) if each.pattern.strip(".*")]
    of_data = ("thing_", "port_", "role_", "one_of", "if_there")  # asked for by `Words.things` and `roles`
    unused = [name for name in WORDS if not name.startswith(of_data)]
    assert [name for name in unused if not any(each.fullmatch(name) for each in known)] == []


@pytest.mark.parametrize("words", [EN, KO])
def test_refused_rights_are_said_without_their_names(words: Words):
    for operation in OPERATIONS:
        said = told(denied(operation, ["reviewer", "own_role"]), words)
        assert right_words(operation).say(words.language) in said
        assert not [
            name for name in (operation, "access.policies", "own_role") if "." in name and name in said
        ]


@pytest.mark.parametrize(
    ("said", "plain_one"),
    [
        ("There is no turn 3. `metaagent sessions show x` lists them.", "There is no turn 3."),
        ("There is no document 'x'; `metaagent documents list` shows yours.", "There is no document 'x'."),
        ("The calls were used up (limits.calls).", "The calls were used up."),
        ("표에는 쓸 수 없습니다. data.writable에 있는 표: 매출.", "표에는 쓸 수 없습니다."),
        (
            "Read notes.md and 3.5 of own.thing. Nothing else.",
            "Read notes.md and 3.5 of own.thing. Nothing else.",
        ),
        ("add 'kit' to agents.allow to load it.", "add 'kit' to agents.allow to load it."),
        ("One line.\nAnother (web.hosts).", "One line.\nAnother."),
    ],
)
def test_messages_leave_out_what_is_for_the_terminal(said: str, plain_one: str):
    assert plain(said) == plain_one


def test_roles_are_words_and_own_ones_as_they_are():
    assert EN.roles(["employee", "security_officer", "own_role"]) == "employee, security officer, own role"
    assert KO.roles(["compliance_officer", "영업"]) == "준법 담당자, 영업"
    assert KO.roles(["employee", "staff"]) == "직원"
    assert all(words.knows(f"role_{name}") for words in (EN, KO) for name in BUILT_IN)


def test_edits_are_described_by_the_titles_of_steps():
    edit = PlanEdit(["s1", "s2", "s3"])
    titles = {"s1": "Read", "s2": "Store", "s3": "Write"}
    assert edit.described(EN, titles) == ""
    edit.drop("s2")
    assert edit.described(KO, titles) == "‘Store’ 단계 빼기"
    edit.move("s3", -2)
    edit.params["s3", "formats"] = "pdf"
    assert edit.described(EN, titles) == (
        "Leave out the step “Store” · File formats of the step “Write”: pdf · In this order: Write → Read"
    )


def test_agents_that_are_not_loaded_have_their_titles():
    specs = [each.load() for each in installed() if each.package == "metaagent"]
    assert len(specs) > 5
    for spec in specs:
        assert WORDS[f"does_{spec.name}"] == spec.description
        assert agent_said(spec.name, Registry({}), "ko") == spec.description.ko


def test_failed_steps_are_not_counted_as_done():
    states = ("completed", "failed", "pending")
    progress = Progress(
        stage="working", steps=[{"step_id": str(n), "status": s} for n, s in enumerate(states)]
    )
    assert progress.said(EN) == "Working on it: 1 of 3 steps done, 1 failed"


def test_rule_is_said_by_title_pack_and_version():
    bare = {"rule": "gift_limit", "pack": "fair_trade", "pack_version": "2024.7"}
    assert rule_said(bare) == "gift limit · fair trade (2024.7)"
    assert rule_said({**bare, "title": "선물", "pack_title": "공정거래"}) == "선물 · 공정거래 (2024.7)"


def test_no_step_takes_no_time_at_all():
    assert [seconds_said(each) for each in (0.0, 0.04, 0.1, 12.34, None)] == [
        "< 0.1",
        "< 0.1",
        "0.1",
        "12.3",
        "?",
    ]


@pytest.mark.parametrize("words", [EN, KO])
def test_people_with_sealed_names_are_shown_without_aliases(words: Words):
    shown = person_said("u-017a2ea76ec4af49", words)
    assert "017a2e" in shown
    assert "u-" not in shown
    assert person_said("system", words) == "system"


@pytest.mark.parametrize("lacking", ["agent:mail_out", "capability:mail_out", "data:salary_bands"])
def test_refusal_names_in_words_what_is_not_open(lacking: str):
    why = {"agent": "mailing", "what": lacked(lacking), "roles": "staff"}
    for said in (DENIED_AGENT.say("en", **why), DENIED_AGENT.say("ko", **why)):
        assert not re.search(r"[a-z]:[a-z]|_", said)


@pytest.mark.parametrize(
    "said", ["2026-10-01~2026-10-31", "from 2026-10-01 to 2026-10-31", "x · 2026-11-18 20:26"]
)
def test_parts_of_a_text_are_its_dates_and_all_between(said: str):
    parts = DATE.split(said)
    assert "".join(parts) == said
    assert all("-" not in part for part in parts[::2])
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d( \d\d:\d\d)?", part) for part in parts[1::2])
