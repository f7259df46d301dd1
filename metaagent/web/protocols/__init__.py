"""The protocols that other programs speak: OpenAI's HTTP API, MCP, AG-UI and A2A. One module each; they translate and
decide nothing."""

from metaagent.web.protocols.mounting import mount

__all__ = ["mount"]
