"""A drafted model in two files: the short one says what counts, the generated one adds words."""

from __future__ import annotations

from typing import Any

import yaml

from metaagent.data.semantic.loader import loads
from metaagent.data.semantic.model_files import merged, parted

DRAFT: dict[str, Any] = {
    "version": 1,
    "name": "shop",
    "default_metric": "sales",
    "tables": {
        "orders": {"key": ["id"], "columns": {"id": "integer", "amount": "integer", "city": "string"}}
    },
    "metrics": {
        "sales": {"type": "sum", "column": "orders.amount", "label": "Sales", "synonyms": {"ko": ["매출"], "en": ["revenue"]}},
        "average_amount": {
            "type": "average", "column": "orders.amount", "label": "Average", "synonyms": {"ko": [], "en": ["mean"]},
        },
        "order_count": {"type": "count", "table": "orders", "label": "Orders", "synonyms": {"ko": [], "en": ["orders"]}},
        "sales_per_order": {
            "type": "ratio", "numerator": "sales", "denominator": "order_count", "label": "Per order",
            "synonyms": {"ko": [], "en": ["sales per order"]},
        },
    },
    "dimensions": {"city": {"column": "orders.city", "label": "City", "synonyms": {"ko": ["도시"], "en": ["town"]}}},
}  # fmt: skip


def test_both_parts_together_are_the_whole_model():
    own, generated = parted(DRAFT)
    whole = loads(yaml.safe_dump(own), generated=yaml.safe_dump(generated))
    plain = loads(yaml.safe_dump(DRAFT))
    assert {name: one.model_dump() for name, one in whole.metrics.items()} == {
        name: one.model_dump() for name, one in plain.metrics.items()
    }
    assert whole.dimensions == plain.dimensions


def test_the_part_to_read_holds_nothing_that_follows():
    own, _ = parted(DRAFT)
    assert "synonyms" not in yaml.safe_dump(own)
    assert set(own["metrics"]) == {"sales", "order_count"}


def test_a_persons_words_come_before_generated_ones():
    own, generated = parted(DRAFT)
    own["metrics"]["sales"]["synonyms"] = {"ko": ["수입"]}
    assert merged(own, generated)["metrics"]["sales"]["synonyms"] == {
        "ko": ["수입", "매출"],
        "en": ["revenue"],
    }


def test_a_removed_figure_takes_what_follows_from_it_along():
    own, generated = parted(DRAFT)
    del own["metrics"]["order_count"]
    del own["tables"]["orders"]["columns"]["city"]
    del own["dimensions"]["city"]
    model = loads(yaml.safe_dump(own), generated=yaml.safe_dump(generated))
    assert set(model.metrics) == {"sales", "average_amount"}
    assert model.dimensions == {}
