import type { AgentSnapshot } from '@troupe/agents/ports'
import { checkedId, WorkflowId, type WorkflowVersionId } from '@troupe/contract'
import type { ToolBody, ToolMaker } from '../tool/tool-maker.ts'
import type { WorkflowFacts, WorkflowTools } from './workflow-tools.ts'

/** Dependencies of tools that run workflows. */
export interface WorkflowToolParts {
  workflows: WorkflowTools
}

/** The version that an agent may run, or why it may not run the workflow. */
function runnableVersion(
  agent: AgentSnapshot,
  facts: WorkflowFacts | null,
  workflowId: WorkflowId,
): { versionId: WorkflowVersionId } | { refused: string } {
  if (facts === null) return { refused: `The workflow ${workflowId} no longer exists.` }
  const isVisible =
    agent.projectId === null || facts.projectId === null || facts.projectId === agent.projectId
  if (!isVisible) return { refused: `The workflow ${facts.name} belongs to another project.` }
  const { name, versionId } = facts
  return versionId === null ? { refused: `The workflow ${name} is not published.` } : { versionId }
}

/** A published workflow: the arguments are its input, and its output is the result. */
export const makeWorkflow: ToolMaker<'workflow', WorkflowToolParts> = async (
  config,
  { agent, run },
  { workflows },
) => {
  const { organizationId, runId } = run
  const workflowId: WorkflowId = checkedId(WorkflowId, config.workflow_id)
  const facts = await workflows.describe(organizationId, workflowId)
  const runnable = runnableVersion(agent, facts, workflowId)
  const body: ToolBody = {
    description: `Runs the workflow ${facts?.name ?? config.name}.`,
    inputSchema: facts?.inputSchema ?? { type: 'object' },
    idempotent: 'always',
    // The same call finds its run again; a call from another agent would start a second run.
    acts: true,
    async execute(input, { key, signal }) {
      const call = { organizationId, workflowId, runId, key, input }
      if (!('refused' in runnable)) return workflows.run({ ...call, ...runnable }, signal)
      const resumed = await workflows.resume(call, signal)
      return resumed ?? { ok: false, code: 'unavailable', message: runnable.refused }
    },
  }
  return [body]
}
