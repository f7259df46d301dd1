"""Tools of others as agents: of an MCP server, of LangChain, of an OpenAPI document, declared by the setting `tools`.

Each call runs in a process of its own, as an isolated agent does; what comes back is data of a bounded size, and nothing more.
"""
