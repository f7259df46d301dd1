"""metaagent: understands a question, plans a typed DAG of agents, runs it durably and answers."""

__version__ = "0.1.0"
