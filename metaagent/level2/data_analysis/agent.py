"""The declaration of the data analysis agent. Its work is imported when it is first asked for."""

from __future__ import annotations

from metaagent.global_state import DataAnalysisAgentState
from metaagent.plugin import Capability, Context, Result, Task, Text, agent


@agent(
    name="data_analysis",
    description=Text(en="Analyse the data", ko="데이터 분석"),
    capabilities=[
        Capability(
            "data_analysis",
            ko=("데이터 분석", "분석", "조회", "비교", "추이", "순위", "비중"),
            en=("data analysis", "analyze", "figure", "compare", "trend", "rank", "share"),
        )
    ],
    produces={"dataset": dict, "chart": dict},
    also_called={
        "chart": ("graph", "plot", "차트", "그래프", "도표"),
        "dataset": ("data set", "데이터셋", "데이터 세트"),
    },
    needs=["db", "progress"],
    state=DataAnalysisAgentState,
    timeout=60.0,
    seconds=0.3,
)
async def data_analysis(task: Task, ctx: Context) -> Result:
    from metaagent.level2.data_analysis.work import analyse

    return await analyse(task, ctx)
