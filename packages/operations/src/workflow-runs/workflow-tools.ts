import { derivedId } from '@troupe/agents'
import type { Clock, ToolOutcome } from '@troupe/agents/ports'
import { DomainError, type OrganizationId, type WorkflowId, WorkflowRunId } from '@troupe/contract'
import { RunAborted } from '@troupe/durable-work'
import { callInput, callSchema } from '@troupe/nodes/call-input'
import type { Database } from '@troupe/storage'
import type { WorkflowCall, WorkflowTools } from '@troupe/tools'
import type { EndedWorkflowRun, WorkflowRunner } from '@troupe/workflows'
import type { WorkflowGraphs } from '../workflows/workflow-graphs.ts'
import { withCurrentVersion } from './with-current-version.ts'

/** Dependencies of the tools that run workflows. */
export interface RunnableWorkflows {
  database: Pick<Database, 'read' | 'workflowRuns'>
  /** A function, because the tools are created before the workflows that they run. */
  workflows: () => { runner: Pick<WorkflowRunner, 'runOnce'>; graphs: Pick<WorkflowGraphs, 'compiled'> }
  clock: Clock
}

/** Whether the call may continue in another process, where it must find its workflow run again. */
function goesOn(reason: unknown): boolean {
  return reason instanceof RunAborted && (reason.reason === 'lost' || reason.reason === 'shutdown')
}

function notPublished(): DomainError {
  return new DomainError('workflow_not_published', 'The workflow was deleted or is not published.')
}

/** Runs workflows for the tools of agents. */
export function createWorkflowTools({ database, workflows, clock }: RunnableWorkflows): WorkflowTools {
  const store = database.workflowRuns

  const publishedVersion = async (organizationId: OrganizationId, workflowId: WorkflowId) => {
    const workflow = await database.read.workflows.byId(organizationId, workflowId)
    if (!workflow?.activeDeployment) throw notPublished()
    return workflow.activeDeployment.versionId
  }

  /** The run request of a call, for any version. */
  const requestOf = ({ organizationId, workflowId, runId, key }: Omit<WorkflowCall, 'versionId'>) => {
    const own = derivedId(WorkflowRunId, runId, key, 'workflow')
    const request = {
      scope: { organizationId, projectId: null },
      workflowId,
      source: 'api_async' as const,
      firedNodeId: null,
      scheduledFor: null,
      apiKeyId: null,
      startedByUserId: null,
      startedByRunId: runId,
      idempotency: null,
      createdAt: clock.now(),
    }
    return { runId: own, request }
  }

  const start = async (call: WorkflowCall, signal: AbortSignal): Promise<EndedWorkflowRun> => {
    const { organizationId, workflowId } = call
    const { runner, graphs } = workflows()
    const { runId, request } = requestOf(call)
    const again = () => publishedVersion(organizationId, workflowId)
    return withCurrentVersion(call.versionId, again, async (versionId) => {
      const graph = await graphs.compiled(organizationId, versionId)
      const input = callInput([...(graph?.nodes.values() ?? [])], call.input)
      return runner.runOnce({ ...request, versionId, input }, runId, signal)
    })
  }

  /** The result of a call. Its run ends, or is cancelled by the signal. */
  const outcomeOf = async (
    call: Omit<WorkflowCall, 'versionId'>,
    signal: AbortSignal,
    end: () => Promise<EndedWorkflowRun>,
  ): Promise<ToolOutcome> => {
    try {
      const { status, output, error } = await end()
      if (status === 'completed') return { ok: true, text: JSON.stringify(output ?? null) }
      return { ok: false, code: 'failed', message: `The workflow failed: ${error ?? 'it has no result.'}` }
    } catch (error) {
      const { runId, request } = requestOf(call)
      if (signal.aborted && !goesOn(signal.reason)) await store.cancel(request.scope, runId)
      signal.throwIfAborted()
      if (!(error instanceof DomainError)) throw error
      return { ok: false, code: 'unavailable', message: error.message }
    }
  }

  return {
    async describe(organizationId, workflowId) {
      const workflow = await database.read.workflows.byId(organizationId, workflowId)
      if (workflow === null) return null
      const { name, projectId, activeDeployment } = workflow
      const versionId = activeDeployment?.versionId ?? null
      const graph = versionId && (await workflows().graphs.compiled(organizationId, versionId))
      return { name, projectId, versionId, inputSchema: graph && callSchema(graph.triggers) }
    },

    run: (call, signal) => outcomeOf(call, signal, () => start(call, signal)),

    async resume(call, signal) {
      const { runId, request } = requestOf(call)
      const started = await store.find(request.scope, runId)
      if (started === null) return null
      const { versionId } = started
      const { runner } = workflows()
      return outcomeOf(call, signal, () =>
        runner.runOnce({ ...request, versionId, input: call.input }, runId, signal),
      )
    },
  }
}
