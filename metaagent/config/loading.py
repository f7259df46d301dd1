"""Loading of settings: YAML, then environment (`METAAGENT_LIMITS__TURN_SECONDS=60`), then arguments."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel, ValidationError

from metaagent.config.sections import Section
from metaagent.config.settings import Settings, default_data_dir
from metaagent.errors import ConfigInvalid, ConfigUnreadable, Text, misfit, os_problem
from metaagent.values import nearest

ENV_PREFIX = "METAAGENT_"
ENV_NOT_SETTINGS = frozenset(
    {
        "METAAGENT_CONFIG",
        "METAAGENT_SHARED_DATA",
        "METAAGENT_EXAMPLES",
        "METAAGENT_KEY",
        "METAAGENT_OIDC_SECRET",
    }
)
_UNKNOWN = Text(
    en="Unknown setting {key!r} in {source}.{hint} `docs/settings.md` lists them all.",
    ko="{source}에 알 수 없는 설정 {key!r}이(가) 있습니다.{hint} 전체 목록은 `docs/settings.md`에 있습니다.",
)
_WRONG = Text(
    en="Setting {key!r} in {source} cannot be {value!r}: {problem}.",
    ko="{source}의 설정 {key!r}에 {value!r} 값을 쓸 수 없습니다: {problem}.",
)
_NEAREST = Text(en=" Did you mean {near!r}?", ko=" {near!r}을(를) 뜻했나요?")
_ENVIRONMENT = Text(en="the environment", ko="환경 변수")
_ARGUMENTS = Text(en="the arguments", ko="인수")
_SETTINGS = Text(en="the settings", ko="설정값")
_NO_VALUE = Text(en="it is not a YAML value", ko="YAML 값이 아닙니다")
_NO_MAPPING = Text(en="it is not a mapping of settings", ko="이름과 값의 짝으로 된 설정이 아닙니다")
_UNREADABLE = Text(
    en="The configuration file {path} cannot be read: {problem}. Check the path and the YAML.",
    ko="설정 파일 {path}을(를) 읽을 수 없습니다: {problem}. 경로와 YAML을 확인하세요.",
)
_NOT_OPENED = Text(
    en="The configuration file {path} cannot be read: {problem}. Check the path.",
    ko="설정 파일 {path}을(를) 읽을 수 없습니다: {problem}. 경로를 확인하세요.",
)
CONNECTED_FILE = "connected.yaml"
"""File in the data directory: the database that `metaagent connect` connected, as settings that any others override."""


def load_settings(
    path: Path | None = None,
    *,
    env: Mapping[str, str] | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Settings:
    """Later sources win. Unknown keys are refused with the nearest valid name."""
    environment = os.environ if env is None else env
    path = path or (Path(environment["METAAGENT_CONFIG"]) if environment.get("METAAGENT_CONFIG") else None)
    values: dict[str, Any] = {}
    if path is not None:
        _merge(values, _checked(_read_yaml(path), str(path)))
    _merge(values, _checked(_from_environment(environment), _ENVIRONMENT))
    _merge(values, _checked(dict(overrides or {}), _ARGUMENTS))
    values = _with_connected(values)
    _add_policies(values)
    return _validated(values, _SETTINGS if path is None else str(path))


def _with_connected(values: dict[str, Any]) -> dict[str, Any]:
    """The connected database of the data directory, unless the settings name a domain or a model themselves."""
    data = values.get("data")
    named = "domain" in values or (isinstance(data, dict) and "model" in cast("dict[str, Any]", data))
    file = Path(str(values.get("data_dir") or default_data_dir())) / CONNECTED_FILE
    if named or not file.is_file():
        return values
    found = _checked(_read_yaml(file), str(file))
    _merge(found, values)
    return found


def _add_policies(values: dict[str, Any]) -> None:
    """Policies and users of `access.file` come first: what the settings themselves say wins."""
    access: object = values.get("access")
    file: object = cast("dict[str, Any]", access).get("file") if isinstance(access, dict) else None
    if not isinstance(file, str | Path):
        return  # nothing, or something that the validation will name
    found = _checked({"access": _read_yaml(Path(str(file)))}, str(file))
    _merge(found, {"access": access})
    values["access"] = found["access"]


def settings_list() -> Iterator[tuple[str, Any, str]]:
    """Every setting as (dotted name, default, description), in order."""
    yield from _fields(Settings, "")


def _fields(model: type[BaseModel], prefix: str) -> Iterator[tuple[str, Any, str]]:
    for name, info in model.model_fields.items():
        inner = info.annotation
        if isinstance(inner, type) and issubclass(inner, Section):
            yield from _fields(inner, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", info.get_default(call_default_factory=True), info.description or ""


def _read_yaml(path: Path) -> dict[str, Any]:
    import yaml

    try:
        loaded: object = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigUnreadable(_NOT_OPENED, path=path, problem=os_problem(error)) from error
    except (ValueError, RecursionError, yaml.YAMLError) as problem:
        raise ConfigInvalid(_UNREADABLE, path=path, problem=str(problem).replace("\n", " ")) from problem
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise ConfigInvalid(_UNREADABLE, path=path, problem=_NO_MAPPING)
    return cast("dict[str, Any]", loaded)


def _from_environment(env: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, text in env.items():
        if not name.startswith(ENV_PREFIX) or name in ENV_NOT_SETTINGS:
            continue
        import yaml

        keys = name[len(ENV_PREFIX) :].lower().split("__")
        try:
            value: Any = yaml.safe_load(text)
        except (ValueError, RecursionError, yaml.YAMLError) as problem:
            raise ConfigInvalid(
                _WRONG, key=name, source=_ENVIRONMENT, value=text, problem=_NO_VALUE
            ) from problem
        for key in reversed(keys):
            value = {key: value}
        _merge(values, value)
    return values


def _merge(into: dict[str, Any], new: Mapping[str, Any]) -> None:
    for key, value in new.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], cast("dict[str, Any]", value))
        else:
            into[key] = value


def _checked(values: dict[str, Any], source: str | Text) -> dict[str, Any]:
    known = [name for name, _, _ in settings_list()]
    sections = {name.split(".")[0] for name in known if "." in name}
    for key, value in values.items():
        if key not in sections or not isinstance(value, dict):
            _known(str(key), known, source)
            continue
        for inner in cast("dict[str, Any]", value):
            _known(f"{key}.{inner}", known, source)
    return values


def _known(key: str, known: list[str], source: str | Text) -> None:
    if key in known or any(name.startswith(f"{key}.") for name in known):
        return
    near = nearest(key, known, cutoff=0.5)
    hint = _NEAREST.fixed(near=near) if near else ""
    raise ConfigInvalid(_UNKNOWN, key=key, source=source, hint=hint)


def _validated(values: Mapping[str, Any], source: str | Text) -> Settings:
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise ConfigInvalid(
            _WRONG, key=key, source=source, value=first["input"], problem=misfit(first)
        ) from error
