"""Every state of the system, each field with the reducer that merges parallel writes. Nothing here decides or acts.

All values are plain data, so that a state survives a msgpack round trip. Times are ISO-8601 in UTC with
milliseconds. Every field may be missing: readers use `.get`, `StateValidator` says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, Required

from typing_extensions import TypedDict

from metaagent.reducers import merge_agent_states, merge_audit, merge_messages, merge_records, merge_steps

if TYPE_CHECKING:
    from langchain_core.messages import AnyMessage
else:
    AnyMessage = Any  # commands that look at no message need not wait for the import

Phase = Literal["analyzing", "clarifying", "planning", "executing", "completed"]
StepStatus = Literal["pending", "in_progress", "completed", "failed", "skipped"]
ExecutionStatus = Literal["initializing", "running", "paused", "completed", "failed"]
ExecutionStrategy = Literal["sequential", "parallel", "pipeline"]
RiskLevel = Literal["low", "medium", "high", "critical"]
StorageChoice = Literal["structured_db", "vector_db", "unstructured_db", "hybrid"]
StorageStatus = Literal["pending", "in_progress", "completed", "failed"]
Language = Literal["ko", "en"]
Json = dict[str, Any]


# --- level 1 --------------------------------------------------------------------------------------------


class Intent(TypedDict, total=False):
    intent: str
    confidence: float
    optional: bool
    """Asked for only if it is possible; not there otherwise."""


class Entity(TypedDict, total=False):
    type: str
    value: str
    normalized: Any
    span: list[int]
    confidence: float


class Ambiguity(TypedDict, total=False):
    field: str
    reason: str
    question: str
    options: list[str]


class FeasibilityCheck(TypedDict, total=False):
    data_available: bool
    permission_granted: bool
    estimated_time: float
    resource_status: str


class QueryAnalyzerState(TypedDict, total=False):
    raw_query: str
    query_timestamp: str
    user_context: Json
    language: Language
    script: str
    parsed_intents: list[Intent]
    required_capabilities: list[str]
    optional_capabilities: list[str]
    """The required ones that only optional intents need."""
    infeasible_capabilities: list[str]
    requested_kinds: list[str]
    optional_kinds: list[str]
    complexity_score: float
    complexity_components: dict[str, float]
    suggested_agents: list[str]
    context_requirements: Json
    extracted_entities: list[Entity]
    ambiguities: list[Ambiguity]
    clarification_needed: bool
    clarification_answers: list[Json]
    feasibility_check: FeasibilityCheck
    explanations: list[Json]
    assumptions: list[str]
    resolved: Json
    semantic_request: Json | None
    slots: Json
    unread: list[str]
    doubts: list[str]
    """Words that could not be read, said before the answer."""
    revises: str
    """The id of the artifact that is to be changed; empty where nothing is."""
    change: str
    """The words that say how: the request without the clauses that only check or store the result, or decline that.
    Empty where it has none of these."""
    in_full: str
    """The request with what it takes from the turn before said in full; absent where it takes nothing that way."""
    parts: Json
    """The parts of the question that a capability serves one by one, such as two documents."""
    fed_by: Json
    """Capabilities by the one that is to be given their results: a report on a check."""
    attached: list[str]
    """Ids of the files that came with the question."""
    given: list[Json]
    """References to the texts that the question quotes, where something is to be done with them."""
    same_data: bool
    """True if data of an earlier turn may stand for what is asked now."""
    small_talk: str | None
    """greeting, thanks or help."""
    left: bool
    """True if the person left the question that was asked back."""
    topics: Json | None
    """The figures, dimensions, time range and tried questions of the data, where help was called for."""
    data_title: str
    """The figures, period and filters that are asked for, in words."""
    search: Json
    """Groups of `synonyms` that the question has a word of, where documents are to be searched; the `text` to search by where
    only a part of the question is for them."""
    check: Json
    """The `text` that is to be checked where another part of the question asks for something else."""
    reading: Json
    """The reader of the data question, how sure it is, and the features that this was computed from."""
    follow_up: bool
    inherited: list[str]
    replaced: list[Json]
    """Filters of the turns before that this one has in their place, newest last: both of them may be asked for next."""
    earlier: list[Json]
    """Requests of the turns before, the first and the newest, that a question may go back to."""
    pointed: list[str]
    """Kinds of things that words of the question pointed at: after one place of a list, another is one of the same list."""
    taken: Json
    """Requests in sentences that are for one agent alone, by its capability."""
    memories_used: list[Json]


class StepInput(TypedDict, total=False):
    """The source of a step's input: another step of the plan, or an artifact that exists already."""

    kind: str
    from_step: str
    artifact_id: str


class PlanStep(TypedDict, total=False):
    step_id: str
    agents: list[str]
    capability: str
    task: str
    params: Json
    parallel: bool
    timeout: float
    retry_count: int
    dependencies: list[str]
    checkpoint: bool
    inputs: list[StepInput]
    produces: list[str]
    optional: bool
    part: Json
    """The part of the question that it is for, where its agent runs once for each."""
    shown_first: bool
    """True if it waits once more, with what it would act on, right before it acts."""


class FallbackPlan(TypedDict, total=False):
    for_step: str
    trigger: str
    replace_with: str


class DependencyGraph(TypedDict, total=False):
    nodes: list[str]
    edges: list[list[str]]


class ResourceRequirements(TypedDict, total=False):
    cpu_cores: int
    memory_gb: float
    api_calls: int
    db_connections: int


class PlanningState(TypedDict, total=False):
    analyzed_query: Json
    execution_plan: list[PlanStep]
    task_dependencies: dict[str, list[str]]
    dependency_graph: DependencyGraph
    resource_requirements: ResourceRequirements
    estimated_steps: int
    estimated_total_time: float
    priority_order: list[str]
    parallel_opportunities: list[list[str]]
    execution_strategy: ExecutionStrategy
    fallback_plans: list[FallbackPlan]
    contingency_triggers: list[Json]
    plan_validated: bool
    validation_errors: list[Json]
    plan_version: int
    plan_hash: str
    approval: Json
    reanalysis_may_help: bool
    reanalysis_attempts: int
    unmet: list[Json]


class CompletedTask(TypedDict, total=False):
    task_id: str
    agent: str
    result: Json
    execution_time: float
    quality_score: float


class FailedTask(TypedDict, total=False):
    task_id: str
    agent: str
    error: str
    error_type: str
    attempts: int


class StepOutcome(TypedDict):
    """The end of one step as the checkpoint keeps it; see `execution_manager.outcomes.new_outcome`."""

    step_id: str
    capability: str
    agent: str
    """The agent that ended it: a fallback, if the first one failed; empty if none was started."""
    status: Literal["completed", "failed", "skipped"]
    summary: str
    confidence: float
    quality: float
    inputs: dict[str, str]
    """Hashes of the input artifacts by id."""
    artifacts: list[Json]
    sources: list[Json]
    citations: NotRequired[list[Json]]
    """Missing in what was stored before citations were."""
    state: Json
    error: str | None
    error_type: str | None
    attempts: int
    calls: dict[str, int]
    """Starts by agent."""
    db_queries: int
    started_at: str
    ended_at: str
    seconds: float
    optional: NotRequired[bool]
    part: NotRequired[Json]
    judged: NotRequired[list[Json]]
    """The verdicts that it made, as the gate reads them."""
    recovered_from: NotRequired[Json]
    """The agent that failed before a fallback succeeded, with the error."""


class ExecutionManagerState(TypedDict, total=False):
    current_plan: int
    active_steps: list[str]
    execution_status: ExecutionStatus
    execution_progress: float
    completed_tasks: list[CompletedTask]
    pending_tasks: list[str]
    failed_tasks: list[FailedTask]
    quality_scores: dict[str, float]
    validation_results: dict[str, Json]
    need_replan: bool
    replan_reason: str | None
    replan_attempts: int
    excluded_agents: list[str]
    revised: list[Json]
    """The draft that the next plan makes anew, with the verdict on it."""
    final_results: Json
    aggregation_method: str


# --- level 2 --------------------------------------------------------------------------------------------


class BaseAgentState(TypedDict, total=False):
    task_id: str
    assigned_task: Json
    execution_context: Json
    result: Json | None
    confidence_score: float
    execution_time: float
    error_message: str | None
    error_type: str | None
    recovery_attempted: bool
    start_time: str
    end_time: str | None
    resource_usage: Json


class Visualization(TypedDict, total=False):
    type: str
    data: list[Json]
    config: Json
    image_url: str


class DataAnalysisAgentState(BaseAgentState, total=False):
    generated_queries: list[str]
    query_execution_plans: list[Any]
    raw_data: Json
    processed_data: Json
    statistics: Json
    visualizations: list[Visualization]
    cache_key: str | None
    cache_hit: bool


class InformationRetrievalAgentState(BaseAgentState, total=False):
    search_queries: list[str]
    search_sources: list[Literal["internal_db", "vector_db", "web"]]
    search_results: dict[str, list[Json]]
    relevance_scores: dict[str, float]
    filtered_results: list[Json]
    sources: list[Json]
    citations: list[Json]


class Place(TypedDict, total=False):
    """A place in a document, as a person finds it."""

    heading: Required[str]
    page: int
    article: str
    sheet: str
    row: int


class Citation(TypedDict):
    """A quote that stands in the kept text of a document from `start` to `end`; `sha256` is the quote's own. `n` is its
    number in the summary of a step, and then in the whole answer."""

    n: int
    document_id: str
    title: str
    place: Place
    start: int
    end: int
    quote: str
    sha256: str


class DatasetColumn(TypedDict):
    """A column of a dataset. `unit` is a currency (KRW), `ratio` for parts of one, or a word that stands after the number."""

    name: str
    label: str
    type: Literal["number", "date", "text"]
    unit: NotRequired[str | None]


class Dataset(TypedDict):
    """Content of kind `dataset`: a table with as many cells in a row as there are columns."""

    columns: list[DatasetColumn]
    rows: list[list[str | int | float | bool | None]]
    title: NotRequired[str]
    row_count: NotRequired[int]
    truncated: NotRequired[bool]
    other: NotRequired[Json]
    """Title, columns and sentences in the other language, for documents that are wanted in both."""


class Chart(TypedDict):
    """Content of kind `chart`: a Vega-Lite spec that holds its own data, and what kind of picture it is."""

    type: str
    title: str
    spec: Json


class Passages(TypedDict):
    """Content of kind `passages`: what a search found, with a citation for every sentence of it."""

    question: str
    found: bool
    passages: list[Json]
    citations: list[Json]


class GeneratedDocument(TypedDict, total=False):
    content: str
    format: str
    metadata: Json
    file_path: str


class DocumentGenerationAgentState(BaseAgentState, total=False):
    document_type: str
    template_id: str
    form_data: Json
    source_data: Json
    draft_versions: list[Json]
    current_version: int
    generated_document: GeneratedDocument
    document_id: str
    storage_location: str
    document_url: str | None


class RuleResult(TypedDict, total=False):
    rule: str
    status: str
    confidence: float
    details: str


FindingStatus = Literal["violated", "unknown", "passed", "waived"]


class Evidence(TypedDict, total=False):
    """The place where a finding stands: a field with its value and limit, a span of the text, or rows by their ids."""

    field: str
    span: list[int]
    rows: list[str]
    value: Any
    threshold: Any
    quote: str


class Finding(TypedDict):
    """The outcome of one rule on one thing that was judged."""

    rule: str
    title: NotRequired[str]
    pack: str
    pack_title: NotRequired[str]
    pack_version: str
    pack_hash: str
    severity: RiskLevel
    status: FindingStatus
    message: str
    evidence: list[Evidence]
    law: str


class VerdictTarget(TypedDict):
    kind: str
    artifact_ids: list[str]
    hashes: list[str]


VerdictOutcome = Literal["passed", "needs_information", "violated"]


class Verdict(TypedDict):
    """The judgement of one target. Whoever acts reads `blocks`; `hash` is the SHA-256 of everything else in it."""

    blocks: bool
    risk_level: RiskLevel
    target: VerdictTarget
    findings: list[Finding]
    checked: list[str]
    required_modifications: list[Json]
    recommendations: list[str]
    confidence: float
    hash: str
    language: NotRequired[str]
    other: NotRequired[Json]
    """The messages of the findings in the other language, in their order."""
    outcome: NotRequired[VerdictOutcome]
    """`needs_information`: nothing speaks against it but that facts are missing; it blocks until the `questions` are answered."""
    questions: NotRequired[list[str]]


class ComplianceValidationAgentState(BaseAgentState, total=False):
    validation_target: Json
    validation_type: Literal["document", "action", "data"]
    applied_rules: list[str]
    validation_results: list[RuleResult]
    violations: list[Json]
    risk_level: RiskLevel
    recommendations: list[str]
    required_modifications: list[Json]


class SchemaMapping(TypedDict, total=False):
    target_table: str
    field_mappings: dict[str, str]
    transformation_rules: list[Json]


class StorageDecisionAgentState(BaseAgentState, total=False):
    data_to_store: Json
    data_type: str
    data_size: int
    storage_decision: StorageChoice
    decision_reasoning: str
    schema_mapping: SchemaMapping
    storage_status: StorageStatus
    stored_location: str | None
    storage_metadata: Json


# --- the session ----------------------------------------------------------------------------------------


class SharedState(TypedDict, total=False):
    """The only thing that every agent is given besides its own task."""

    user_query: str
    session_id: str
    user_id: str | None
    company_id: str | None
    timestamp: str
    language: Language
    status: str
    error_message: str | None


class ExecutionStepState(TypedDict, total=False):
    """One item of the to-do list that a person watches."""

    step_id: str
    step_type: str
    agent_name: str
    team: str
    task: str
    description: str
    status: StepStatus
    progress_percentage: int
    started_at: str | None
    completed_at: str | None
    result: str | None
    error: str | None


class ResponseMetadata(TypedDict, total=False):
    type: str
    confidence: float
    sources: list[Json]
    citations: list[Json]
    sections: list[Json]
    agents_used: list[str]
    artifacts: list[Json]
    total_execution_time: float
    memories: list[Json]
    conclusion: Json | None


REDUCERS: Mapping[str, Callable[[Any, Any], Any]] = {
    "messages": merge_messages,
    "execution_steps": merge_steps,
    "agent_states": merge_agent_states,
    "errors": merge_records,
    "warnings": merge_records,
    "audit_trail": merge_audit,
}
REDUCED = frozenset(REDUCERS)
"""Fields of the state that merge what is written to them: to remove something they are overwritten."""
OVERWRITE = "__overwrite__"
"""The key by which an update says that a field which merges is to be replaced."""


class GlobalSessionState(TypedDict, total=False):
    session_id: str
    turn_id: str
    user_id: str
    company_id: str
    schema_version: int
    messages: Annotated[list[AnyMessage], merge_messages]
    conversation_history: list[Json]
    current_phase: Phase
    current_agent: str | None
    workflow_status: str
    iteration_count: int
    execution_steps: Annotated[list[ExecutionStepState], merge_steps]
    progress_percentage: int
    total_tokens_used: int
    api_calls_made: dict[str, int]
    db_queries_executed: int
    query_analyzer_state: QueryAnalyzerState | None
    planning_state: PlanningState | None
    execution_manager_state: ExecutionManagerState | None
    agent_states: Annotated[dict[str, BaseAgentState], merge_agent_states]
    loaded_memories: list[Json]
    user_preferences: Json
    final_response: str | None
    response_metadata: ResponseMetadata
    errors: Annotated[list[Json], merge_records]
    warnings: Annotated[list[Json], merge_records]
    audit_trail: Annotated[list[Json], merge_audit]
