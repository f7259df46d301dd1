"""The execution manager: runs a plan and stores what becomes of each step.

`manage` is the node of the graph, `plan_run` one run of a plan, `dataflow` the order of its steps, `step` one step with its
retries and fallbacks, `attempt` one run of an agent, `step_gate` what must hold before a step starts, `quality` how good a
result is.
"""
