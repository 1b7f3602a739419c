import type { AgentSnapshot } from '@troupe/agents/ports'
import { asId } from '@troupe/contract'
import type { ToolBody, ToolMaker } from '../tool/tool-maker.ts'
import type { WorkflowFacts, WorkflowTools } from './workflow-tools.ts'

/** What tools that run workflows need. */
export interface WorkflowToolParts {
  workflows: WorkflowTools
}

/** Why an agent may not run a workflow; null when it may. */
function refusal(agent: AgentSnapshot, facts: WorkflowFacts | null, workflowId: string): string | null {
  if (facts === null) return `The workflow ${workflowId} no longer exists.`
  const isVisible =
    agent.projectId === null || facts.projectId === null || facts.projectId === agent.projectId
  if (!isVisible) return `The workflow ${facts.name} belongs to another project.`
  return facts.isPublished ? null : `The workflow ${facts.name} is not published.`
}

/** A published workflow: the arguments are its input, and its output is the result. */
export const makeWorkflow: ToolMaker<'workflow', WorkflowToolParts> = async (
  config,
  { agent, run },
  { workflows },
) => {
  const { organizationId, runId } = run
  const facts = await workflows.describe(organizationId, asId(config.workflow_id))
  const refused = refusal(agent, facts, config.workflow_id)
  const body: ToolBody = {
    description: `Runs the workflow ${facts?.name ?? config.name}.`,
    inputSchema: facts?.inputSchema ?? { type: 'object' },
    idempotent: 'always',
    async execute(input, { key, signal }) {
      if (refused !== null) return { ok: false, code: 'unavailable', message: refused }
      const workflowId = asId(config.workflow_id)
      return workflows.run({ organizationId, workflowId, runId, key, input }, signal)
    },
  }
  return [body]
}
