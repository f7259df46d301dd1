"""Puts the protocols into the server. Those whose package is not installed answer with the command that installs it."""

from __future__ import annotations

from fastapi import FastAPI

from metaagent.web.doors import Doors


def mount(web: FastAPI, doors: Doors) -> None:
    from metaagent.web.protocols import a2a_http, ag_ui_api, mcp_http, openai_api

    openai_api.mount(web, doors)
    mcp_http.mount(web, doors)
    ag_ui_api.mount(web, doors)
    a2a_http.mount(web, doors)
