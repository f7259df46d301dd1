"""Settings of tools that become agents: MCP servers, LangChain tools and OpenAPI operations."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from metaagent.config.sections import Section, checked_address
from metaagent.language.patterns import regex

_VARIABLE = regex(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_LOADER = regex(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


class Words(Section):
    ko: list[str] = Field(min_length=1, description="In Korean.")
    en: list[str] = Field(min_length=1, description="In English.")


class Said(Section):
    ko: str = Field(min_length=1, description="In Korean.")
    en: str = Field(min_length=1, description="In English.")


class ToolParam(Section):
    """The sources of an argument of a tool: the first that gives something counts, else the person is asked."""

    pattern: str | None = Field(
        default=None, description="RE2 pattern on the question; its first group counts."
    )
    entity: str | None = Field(
        default=None, description="Something that was understood, e.g. `location`, `period.start`."
    )
    question: bool = Field(default=False, description="The question itself.")
    input: str | None = Field(default=None, description="The content of an input of this kind.")
    value: Any = Field(default=None, description="A fixed value, or the one to fall back on.")
    type: Literal["string", "number", "integer", "boolean"] = Field(default="string")
    ask: Said | None = Field(
        default=None, description="What the person is asked where nothing else gives it."
    )


class _AtAddress(Section):
    """A tool behind an address, with a token from the environment."""

    url: str | None = None
    token: str | None = Field(default=None, description="Environment variable with a bearer token.")

    @field_validator("url")
    @classmethod
    def _without_secrets(cls, value: str | None) -> str | None:
        return checked_address(value)

    @field_validator("token")
    @classmethod
    def _named(cls, value: str | None) -> str | None:
        if value is not None and not _VARIABLE.fullmatch(value):
            raise ValueError("name an environment variable; its value is not written here")
        return value


class McpTool(_AtAddress):
    """A tool of an MCP server: of a command that is started for each call, or of an address."""

    tool: str = Field(min_length=1)
    command: list[str] = Field(default_factory=list[str])

    @model_validator(mode="after")
    def _one_place(self) -> McpTool:
        if bool(self.command) == bool(self.url):
            raise ValueError("give either `command` or `url`")
        return self


class OpenApiTool(_AtAddress):
    """An operation of an OpenAPI document."""

    document: Path
    operation: str = Field(min_length=1)
    url: str | None = Field(default=None, description="Address of the server, if not the document's first.")


class Tool(Section):
    """A tool that becomes an agent. It is thought to change something outside unless it is said not to."""

    mcp: McpTool | None = None
    openapi: OpenApiTool | None = None
    langchain: str | None = None
    description: Said
    words: Words
    consumes: list[str] = Field(default_factory=list[str])
    produces: str | None = None
    params: dict[str, ToolParam] = Field(default_factory=dict[str, ToolParam])
    side_effects: bool = True
    risk: Literal["low", "medium", "high", "critical"] = "low"
    permissions: list[str] = Field(default_factory=list[str])
    timeout: float = Field(default=30, gt=0, le=3600)
    confidence: float = Field(default=0.7, ge=0, le=1)
    result_bytes: int = Field(default=1_000_000, gt=0, le=20_000_000)
    redact: bool = True
    environment: list[str] = Field(default_factory=list[str])

    @field_validator("langchain")
    @classmethod
    def _importable(cls, value: str | None) -> str | None:
        if value is not None and not _LOADER.fullmatch(value):
            raise ValueError("write it as module:attribute")
        return value

    @model_validator(mode="after")
    def _one_kind(self) -> Tool:
        if sum(each is not None for each in (self.mcp, self.openapi, self.langchain)) != 1:
            raise ValueError("give one of `mcp`, `openapi` and `langchain`")
        return self
