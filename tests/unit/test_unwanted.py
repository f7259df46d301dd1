"""A task that is declined, or done already, is not heard as asked for."""

from __future__ import annotations

import pytest

from tests.support.understanding import ask


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        (
            "방문보고서를 작성하고 규정 위반을 확인해줘. 저장은 하지 마.",
            {"document_generation", "compliance_validation"},
        ),
        ("방문보고서를 작성해줘. 저장할 필요는 없어.", {"document_generation"}),
        ("저장된 양식대로 방문보고서를 작성해줘.", {"document_generation"}),
        ("방문보고서를 작성해서 저장해줘.", {"document_generation", "storage_decision"}),
        ("Write a visit report, but don't save it.", {"document_generation"}),
        (
            "Write a visit report and save it, no need to check it.",
            {"document_generation", "storage_decision"},
        ),
        ("The compliance check is done, now write the visit report.", {"document_generation"}),
    ],
)
def test_declined_and_finished_tasks_are_not_asked_for(said: str, wanted: set[str]):
    assert set(ask(said)["required_capabilities"]) == wanted
