"""A QueryAnalyzerState before anything is understood: the fields that every reading fills, with nothing found."""

from __future__ import annotations

from metaagent.ports import AnalysisInput, Json
from metaagent.values import iso


def new_analysis(question: str, given: AnalysisInput, language: str) -> Json:
    return {
        "raw_query": question,
        "query_timestamp": iso(given.now),
        "user_context": {"roles": list(given.user.roles), "timezone": given.timezone},
        "language": language,
        "parsed_intents": [],
        "required_capabilities": [],
        "complexity_score": 0.0,
        "suggested_agents": [],
        "context_requirements": {"need_auth": False, "data_scope": []},
        "extracted_entities": [],
        "ambiguities": [],
        "clarification_needed": False,
        "feasibility_check": {
            "data_available": True,
            "permission_granted": True,
            "estimated_time": 0.0,
            "resource_status": "available",
        },
        "explanations": [],
        "assumptions": [],
        "resolved": {},
    }
