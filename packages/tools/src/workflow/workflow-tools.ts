import type { ToolOutcome } from '@troupe/agents/ports'
import type { OrganizationId, ProjectId, RunId, WorkflowId, WorkflowVersionId } from '@troupe/contract'

/** The description of a workflow as a tool. */
export interface WorkflowFacts {
  name: string
  projectId: ProjectId | null
  /** The published version; null if none is. */
  versionId: WorkflowVersionId | null
  /** JSON Schema of the input, an object; null if no version is published. */
  inputSchema: Record<string, unknown> | null
}

/** One call of a workflow as a tool. */
export interface WorkflowCall {
  organizationId: OrganizationId
  workflowId: WorkflowId
  /** The described published version. Another one runs if it has been published since. */
  versionId: WorkflowVersionId
  /** The agent's root run, and the key of the call within it: together they identify the workflow's run. */
  runId: RunId
  key: string
  input: Record<string, unknown>
}

/** Port: runs workflows for tools. */
export interface WorkflowTools {
  /** null if the organization has no such workflow. */
  describe(organizationId: OrganizationId, workflowId: WorkflowId): Promise<WorkflowFacts | null>
  /**
   * Starts the run of this call, or finds the run started by an earlier attempt, and waits for its end. The run is
   * cancelled with the signal, unless another worker will continue the call. Rejects only with the signal's reason.
   */
  run(call: WorkflowCall, signal: AbortSignal): Promise<ToolOutcome>
  /** The same for a workflow that may no longer be started; null: no earlier attempt of this call has started its run. */
  resume(call: Omit<WorkflowCall, 'versionId'>, signal: AbortSignal): Promise<ToolOutcome | null>
}
