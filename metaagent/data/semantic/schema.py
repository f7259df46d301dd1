"""The JSON schema for editors: `python -m metaagent.data.semantic.schema > configs/semantic.schema.json`."""

from __future__ import annotations

import json
import sys

from metaagent.data.semantic.model import Model


def json_schema() -> str:
    made = Model.model_json_schema(by_alias=True, mode="validation")
    made["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    made["title"] = "metaagent semantic model"
    return json.dumps(made, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


if __name__ == "__main__":
    sys.stdout.write(json_schema())
