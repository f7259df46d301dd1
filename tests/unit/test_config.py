"""Settings: where they come from, which one wins, and what is said about a wrong one."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zoneinfo import available_timezones

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaagent.config import Settings, default_data_dir, load_settings, settings_list
from metaagent.errors import ConfigInvalid
from tests.support.states import tried


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "settings.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_without_any_configuration_everything_has_its_default():
    settings = load_settings(env={})
    assert settings == Settings.model_validate({})
    assert (settings.language, settings.timezone, settings.limits.question_bytes) == (
        "auto",
        "Asia/Seoul",
        1_000_000,
    )
    assert settings.agents.allow == ["metaagent"]


def test_later_sources_win_setting_by_setting(tmp_path: Path):
    path = written(tmp_path, "limits: {steps: 1, calls: 1, replans: 1}\nlanguage: ko\n")
    env = {"METAAGENT_LIMITS__CALLS": "2", "METAAGENT_LIMITS__REPLANS": "2", "PATH": "/bin"}
    settings = load_settings(path, env=env, overrides={"limits": {"replans": 3}, "data_dir": tmp_path})
    assert (settings.limits.steps, settings.limits.calls, settings.limits.replans) == (1, 2, 3)
    assert (settings.language, settings.data_dir) == ("ko", tmp_path)


def test_config_file_argument_wins_over_the_environment(tmp_path: Path):
    named, given_path = tmp_path / "a.yaml", tmp_path / "b.yaml"
    named.write_text("language: ko")
    given_path.write_text("language: en")
    env = {"METAAGENT_CONFIG": str(named)}
    assert load_settings(env=env).language == "ko"
    assert load_settings(given_path, env=env).language == "en"


def test_lists_and_maps_are_read_from_the_environment_as_yaml():
    env = {
        "METAAGENT_AGENTS__ALLOW": "[metaagent, 'demo:echo']",
        "METAAGENT_AGENTS__WITHHOLD": "{echo: [llm]}",
        "METAAGENT_DATA_DIR": "/tmp/x y",
    }
    settings = load_settings(env=env)
    assert settings.agents.allow == ["metaagent", "demo:echo"]
    assert settings.agents.withhold == {"echo": ["llm"]}
    assert settings.data_dir == Path("/tmp/x y")


def test_an_argument_replaces_a_list_as_a_whole(tmp_path: Path):
    path = written(tmp_path, "agents: {allow: [a, b]}")
    assert load_settings(path, env={}, overrides={"agents": {"allow": []}}).agents.allow == []


@pytest.mark.parametrize(
    ("text", "key", "near"),
    [
        ("langage: ko", "langage", "language"),
        ("limits: {turn_second: 3}", "limits.turn_second", "limits.turn_seconds"),
        ("limit: {steps: 3}", "limit", "limits"),
        ("agents: {alow: []}", "agents.alow", "agents.allow"),
        ("turn_seconds: 3", "turn_seconds", "limits.turn_seconds"),
        ("1: 2", "1", ""),
    ],
)
def test_an_unknown_setting_is_refused_with_the_nearest_name(tmp_path: Path, text: str, key: str, near: str):
    path = written(tmp_path, text)
    with pytest.raises(ConfigInvalid) as refused:
        load_settings(path, env={})
    english, korean = refused.value.say("en"), refused.value.say("ko")
    assert f"Unknown setting {key!r} in {path}" in english
    assert "알 수 없는 설정" in korean
    if near:
        assert near in english


def test_an_unknown_environment_variable_is_refused_too():
    with pytest.raises(ConfigInvalid, match=r"'limits\.calz' in the environment.*'limits\.calls'"):
        load_settings(env={"METAAGENT_LIMITS__CALZ": "3"})
    with pytest.raises(ConfigInvalid, match="'foo' in the arguments"):
        load_settings(env={}, overrides={"foo": 1})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"METAAGENT_LANG": "ko"}, "환경 변수에 알 수 없는 설정 'lang'이 있습니다. 'language'를 뜻했나요?"),
        ({"METAAGENT_LIMITS__CALLS": "many"}, "정수여야 합니다"),
        ({"METAAGENT_LIMITS__CALLS": "-1"}, "이상이어야 합니다"),
        ({"METAAGENT_APPROVAL__MODE": "sometimes"}, "다음 중 하나여야 합니다"),
        ({"METAAGENT_LIMITS__CALLS": "[1"}, "YAML 값이 아닙니다"),
    ],
)
def test_a_wrong_setting_is_told_in_korean_throughout(given: dict[str, str], said: str):
    with pytest.raises(ConfigInvalid) as refused:
        load_settings(env=given)
    told = refused.value.say("ko")
    assert said in told
    assert "the environment" not in told
    assert "Input should" not in told


@pytest.mark.parametrize(
    ("overrides", "key", "value"),
    [
        ({"limits": {"steps": 0}}, "limits.steps", "0"),
        ({"limits": {"steps": "many"}}, "limits.steps", "'many'"),
        ({"limits": {"nesting_depth": 201}}, "limits.nesting_depth", "201"),
        ({"limits": 3}, "limits", "3"),
        ({"limits": None}, "limits", "None"),
        ({"language": "fr"}, "language", "'fr'"),
        ({"timezone": "Asia/Soul"}, "timezone", "Asia/Seoul"),
        ({"agents": {"allow": "metaagent"}}, "agents.allow", "'metaagent'"),
        ({"agents": {"withhold": {"a": 1}}}, "agents.withhold.a", "1"),
        ({"data_dir": 7}, "data_dir", "7"),
    ],
)
def test_a_wrong_value_is_named_with_its_setting(overrides: dict[str, Any], key: str, value: str):
    with pytest.raises(ConfigInvalid) as refused:
        load_settings(env={}, overrides=overrides)
    assert repr(key) in refused.value.say("en")
    assert value in refused.value.say("en")
    assert "쓸 수 없습니다" in refused.value.say("ko")


def test_zones_are_those_that_python_lists(monkeypatch: pytest.MonkeyPatch):
    listed = available_timezones()
    monkeypatch.setattr(
        "metaagent.config.settings.available_timezones", lambda: pytest.fail("all zones were listed")
    )
    for name in sorted(listed):
        assert Settings.model_validate({"timezone": name}).timezone == name


@pytest.mark.parametrize(
    "name",
    ["", "Asia", "posix/Asia/Seoul", "right/UTC", "posixrules", "../etc/passwd", "/etc/localtime", "a\0"],
)
def test_name_that_is_no_zone_is_refused(name: str):
    with pytest.raises(ConfigInvalid, match="timezone"):
        load_settings(env={}, overrides={"timezone": name})


@pytest.mark.parametrize(
    "content",
    [
        b"a: [",
        b"- 1",
        b"text",
        b"\xff\xfe\x00",
        b"day: 2025-13-45",
        b"[" * 5000,
        b"&a [*a, *b]",
        b"a: !!python/x 1",
    ],
)
def test_a_file_that_is_no_settings_is_named(tmp_path: Path, content: bytes):
    path = tmp_path / "settings.yaml"
    path.write_bytes(content)
    with pytest.raises(ConfigInvalid) as refused:
        load_settings(path, env={})
    assert str(path) in refused.value.say("en")
    assert str(path) in refused.value.say("ko")


def test_a_file_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(ConfigInvalid, match="nowhere"):
        load_settings(tmp_path / "nowhere.yaml", env={})


def test_an_empty_file_is_no_mistake(tmp_path: Path):
    assert load_settings(written(tmp_path, "# nothing yet\n"), env={}) == Settings.model_validate({})


def test_a_value_of_the_environment_that_is_no_yaml_is_named():
    with pytest.raises(ConfigInvalid, match="METAAGENT_LANGUAGE"):
        load_settings(env={"METAAGENT_LANGUAGE": "[ko"})


def test_settings_cannot_be_changed():
    settings = load_settings(env={})
    for section, name in ((settings, "language"), (settings.limits, "steps")):
        with pytest.raises(pydantic.ValidationError, match="frozen"):
            setattr(section, name, 1)


def test_the_data_directory_follows_the_desktop_standard(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert default_data_dir() == Path("/somewhere/metaagent")
    monkeypatch.delenv("XDG_DATA_HOME")
    assert default_data_dir() == Path.home() / ".local/share/metaagent"


@tried
@given(st.dictionaries(st.text(max_size=12), st.none() | st.integers() | st.text(max_size=5), min_size=1))
def test_unknown_setting_is_refused_by_name(values: dict[str, Any]):
    known = {name.split(".")[0] for name, _, _ in settings_list()}
    unknown = {key: value for key, value in values.items() if key not in known}
    if unknown:
        with pytest.raises(ConfigInvalid, match="the arguments") as refused:
            load_settings(env={}, overrides=unknown)
        assert any(repr(key) in refused.value.say("ko") for key in unknown)
