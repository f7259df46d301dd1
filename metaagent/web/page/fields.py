"""Fields that are written or chosen in: a label, a plain input, and its value on the server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nicegui.element import Element

from metaagent.web.page.elements import ASSETS


class Field(Element, component=ASSETS / "field.js"):
    """A line of text, or with `options` one of several. Its value is known here as it is typed."""

    def __init__(
        self,
        label: str,
        *,
        value: str = "",
        hint: str = "",
        kind: str = "text",
        options: Mapping[str, str] | None = None,
        on_change: Callable[[str], Any] | None = None,
        hidden_label: bool = False,
    ) -> None:
        super().__init__()
        self.value = value
        self._changed = on_change
        self.props.update(
            {"label": label, "name": f"field-{self.id}", "kind": kind, "given": value, "hint": hint}
        )
        self.props.update({"hiddenLabel": hidden_label})
        if options is not None:
            self.props.update({"options": [[key, said] for key, said in options.items()]})
        self.on("typed", lambda event: self._take(event.args))

    def _take(self, said: object) -> Any:
        self.value = str(said)
        return self._changed(self.value) if self._changed is not None else None

    def on_enter(self, call: Callable[[], Any]) -> None:
        def entered(event: Any) -> Any:
            self.value = str(event.args)
            return call()

        self.on("entered", entered)

    def clear_text(self) -> None:
        self.value = ""
        self.run_method("clear")
