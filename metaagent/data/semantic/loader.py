"""YAML -> Model. Every mistake is told with its file, line, what is wrong and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from pydantic import BaseModel, ValidationError

from metaagent.data.semantic.model import Model
from metaagent.data.semantic.model_files import merged
from metaagent.data.semantic.references import unresolved
from metaagent.errors import SemanticInvalid, Text, misfit
from metaagent.values import nearest
from metaagent.yaml_lines import NotYaml, Parsed, Place, parse

if TYPE_CHECKING:
    from collections.abc import Sequence

_LARGEST = 2_000_000

REPORT = Text(en="{report_en}", ko="{report_ko}")
UNREADABLE = Text(
    en="The semantic model '{file}' cannot be read: {reason}. Check the path and its permissions.",
    ko="시맨틱 모델 '{file}'을(를) 읽을 수 없습니다: {reason}. 경로와 권한을 확인하세요.",
)
TOO_LARGE = Text(
    en="The semantic model '{file}' is larger than {limit} bytes. Split the domain.",
    ko="시맨틱 모델 '{file}'이(가) {limit}바이트보다 큽니다. 도메인을 나누세요.",
)


@dataclass(frozen=True)
class Problem:
    """One mistake in a model. `path` is where in the document, `line` is 1-based (0: unknown)."""

    path: str
    what: Text
    file: str = ""
    line: int = 0

    def say(self, language: str = "en") -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        where = ": ".join(part for part in (place, self.path) if part)
        text = self.what.ko if language == "ko" else self.what.en
        return f"{where}: {text}" if where else text


def load(file: str | Path) -> Model:
    """The model in a file, with the words and figures that `semantic.generated.yaml` beside `semantic.yaml` adds."""
    path = Path(file)
    generated = generated_file(path)
    more = _text(generated) if generated.is_file() else ""
    return loads(_text(path), file=str(path), generated=more)


def generated_file(path: Path) -> Path:
    return path.with_name(f"{path.stem}.generated{path.suffix}")


def _text(path: Path) -> str:
    try:
        size = path.stat().st_size
        if size > _LARGEST:
            raise SemanticInvalid(TOO_LARGE, file=str(path), limit=_LARGEST)
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SemanticInvalid(UNREADABLE, file=str(path), reason=str(error)) from error


def loads(text: str, *, file: str = "semantic.yaml", generated: str = "") -> Model:
    """The model in `text`; raises one SemanticInvalid that lists every problem found."""
    try:
        parsed = parse(text, file)
        more = parse(generated, file).data if generated else None
    except NotYaml as error:
        raise _refuse([_syntax(error, file)]) from error
    except RecursionError as error:
        what = Text("it is nested too deeply. Write it flat.", "중첩이 너무 깊습니다. 평평하게 쓰세요.")
        raise _refuse([Problem("", what, file)]) from error
    twice = [_at(parsed, path, _twice(str(path[-1])), file) for path in parsed.repeated]
    try:
        model = Model.model_validate(merged(parsed.data, more) if more else parsed.data)
    except ValidationError as error:
        raise _refuse(twice + _invalid(error, parsed, file)) from error
    problems = twice + [_at(parsed, path, what, file) for path, what in unresolved(model)]
    if problems:
        raise _refuse(problems)
    return model


def _refuse(problems: Sequence[Problem]) -> SemanticInvalid:
    ordered = sorted(problems, key=lambda problem: problem.line)
    return SemanticInvalid(
        REPORT,
        report_en="\n".join(problem.say("en") for problem in ordered),
        report_ko="\n".join(problem.say("ko") for problem in ordered),
        problems=ordered,
    )


def _syntax(error: NotYaml, file: str) -> Problem:
    said = error.problem.splitlines()[0]
    what = Text(
        f"this is not YAML: {said}. Check indentation, colons and quotes here.",
        f"YAML 형식이 아닙니다: {said}. 들여쓰기, 콜론, 따옴표를 확인하세요.",
    )
    return Problem("", what, file, error.line)


def _twice(name: str) -> Text:
    return Text(
        f"'{name}' stands here twice; only the last would count. Remove one.",
        f"'{name}'이(가) 두 번 있습니다. 하나를 지우세요.",
    )


def _at(parsed: Parsed, path: Place, what: Text, file: str) -> Problem:
    return Problem(".".join(str(part) for part in path), what, file, parsed.line(path))


def _invalid(error: ValidationError, parsed: Parsed, file: str) -> list[Problem]:
    found: list[Problem] = []
    for one in error.errors(include_url=False, include_context=True):
        # pydantic adds the tried member of a union to the path; the document has no such place
        path = tuple(part for part in one["loc"] if part != "[key]")
        found.append(_at(parsed, path, _remedy(one, path), file))
    return found


def _remedy(error: Mapping[str, Any], path: Place) -> Text:
    name = str(path[-1]) if path else ""
    if error["type"] == "extra_forbidden":
        allowed = allowed_keys(path[:-1])
        near = nearest(name, allowed)
        hint_en = f"did you mean '{near}'?" if near else f"allowed are {', '.join(allowed)}."
        hint_ko = f"'{near}'을(를) 뜻했나요?" if near else f"쓸 수 있는 키: {', '.join(allowed)}."
        return Text(
            f"'{name}' is not a key here: {hint_en}", f"'{name}'은(는) 여기서 쓸 수 없습니다. {hint_ko}"
        )
    if error["type"] == "missing":
        return Text(f"'{name}' is missing: add it.", f"'{name}'이(가) 없습니다. 추가하세요.")
    why = misfit(error)
    return Text(f"{why.en}. Correct the value.", f"{why.ko}. 값을 고치세요.")


def allowed_keys(path: Place) -> list[str]:
    """The keys that the model knows at this place of the document."""
    here: Any = Model
    for part in path:
        here = _step(here, part)
    found = _models(here)
    names = [field.alias or name for one in found for name, field in one.model_fields.items()]
    return sorted(set(names))


def _step(annotation: Any, part: str | int) -> Any:
    for one in _models(annotation):
        for name, field in one.model_fields.items():
            if part in {name, field.alias}:
                return field.annotation
    # inside dict[str, X] or list[X] the part is a name or index of the document
    inner = [arg for arg in get_args(annotation) if arg is not type(None)]
    return inner[-1] if inner else annotation


def _models(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    if getattr(annotation, "__origin__", None) in {dict, list}:
        return []
    return [model for arg in get_args(annotation) for model in _models(arg)]
