import { derivedRunId } from '@troupe/agents'
import type { Clock, ToolOutcome } from '@troupe/agents/ports'
import { asId, DomainError, isJsonObject, type OrganizationId, type WorkflowId } from '@troupe/contract'
import type { Database } from '@troupe/database'
import { callInput } from '@troupe/nodes/call-input'
import type { WorkflowCall, WorkflowTools } from '@troupe/tools'
import { RunAborted } from '@troupe/turns'
import type { WorkflowRunner } from '@troupe/workflows'
import type { WorkflowGraphs } from '../workflows/workflow-graphs.ts'
import { withCurrentVersion } from './with-current-version.ts'

/** Dependencies of the tools that run workflows. */
export interface RunnableWorkflows {
  database: Pick<Database, 'read' | 'workflowRuns'>
  /** Tools are wired before the workflows that they run. */
  workflows: () => { runner: Pick<WorkflowRunner, 'runOnce'>; graphs: Pick<WorkflowGraphs, 'compiled'> }
  clock: Clock
}

/** Whether the run goes on elsewhere, where the call finds the workflow's run again. */
function goesOn(reason: unknown): boolean {
  return reason instanceof RunAborted && (reason.reason === 'lost' || reason.reason === 'shutdown')
}

/** The schema of inputs that look like a manual trigger's sample; null when it is no object. */
export function schemaOfSample(sample: unknown): Record<string, unknown> | null {
  if (!isJsonObject(sample)) return null
  const known = Object.entries(sample).filter(([, value]) => value !== null)
  const properties = Object.fromEntries(known.map(([name, value]) => [name, { type: jsonType(value) }]))
  return { type: 'object', properties }
}

function jsonType(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value
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

  const start = async (call: WorkflowCall, signal: AbortSignal): Promise<ToolOutcome> => {
    const { organizationId, workflowId } = call
    const { runner, graphs } = workflows()
    const scope = { organizationId, projectId: null }
    const runId = asId(derivedRunId(call.runId, call.key, 'workflow'))
    const request = {
      scope,
      workflowId,
      source: 'api_async' as const,
      firedNodeId: null,
      scheduledFor: null,
      apiKeyId: null,
      startedByUserId: null,
      idempotency: null,
      createdAt: clock.now(),
    }
    const again = () => publishedVersion(organizationId, workflowId)
    try {
      const ended = await withCurrentVersion(call.versionId, again, async (versionId) => {
        const graph = await graphs.compiled(organizationId, versionId)
        const input = callInput([...(graph?.nodes.values() ?? [])], call.input)
        return runner.runOnce({ ...request, versionId, input }, runId, signal)
      })
      const { status, output, error } = ended
      if (status === 'completed') return { ok: true, text: JSON.stringify(output ?? null) }
      return { ok: false, code: 'failed', message: `The workflow failed: ${error ?? 'it has no result.'}` }
    } catch (error) {
      if (signal.aborted && !goesOn(signal.reason)) await store.cancel(scope, runId)
      throw error
    }
  }

  return {
    async describe(organizationId, workflowId) {
      const workflow = await database.read.workflows.byId(organizationId, workflowId)
      if (workflow === null) return null
      const { name, projectId, activeDeployment } = workflow
      const versionId = activeDeployment?.versionId ?? null
      const graph = versionId && (await workflows().graphs.compiled(organizationId, versionId))
      const trigger = graph?.triggers.find(({ type }) => type === 'manual-trigger')
      const inputSchema = schemaOfSample(trigger?.config.sample)
      return { name, projectId, versionId, inputSchema }
    },

    async run(call, signal) {
      try {
        return await start(call, signal)
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof DomainError)) throw error
        return { ok: false, code: 'unavailable', message: error.message }
      }
    },
  }
}
