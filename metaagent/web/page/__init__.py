"""The page: what people see of metaagent in a browser."""

from metaagent.web.page.mounting import mount

__all__ = ["mount"]
