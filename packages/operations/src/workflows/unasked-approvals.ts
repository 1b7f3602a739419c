import type { AgentConfig, OrganizationId, WorkflowFinding } from '@troupe/contract'
import { toolNameOf } from '@troupe/contract'
import type { Graph } from '@troupe/graph'
import type { Readers } from '@troupe/storage'
import { agentsAtWork } from './agents-at-work.ts'

/** Triggers with callers that wait for the end of the run. */
const AWAITED = ['manual-trigger', 'http-request']
const MOST_NAMES = 5

/** The tools of an agent that may need an approval, by the names of their configuration. */
function askingTools({ tools }: Pick<AgentConfig, 'tools'>): string[] {
  return tools
    .filter(({ approval = 'never' }) => approval !== 'never')
    .map((tool) => toolNameOf(tool) ?? tool.type)
}

/**
 * Warnings for steps whose tools may need an approval, in a workflow that a waiting caller can start: such a caller
 * cannot wait for a person, so the calls are denied.
 */
export async function unaskedApprovals(
  read: Pick<Readers, 'agents' | 'teams'>,
  organizationId: OrganizationId,
  graph: Graph,
): Promise<WorkflowFinding[]> {
  if (!graph.nodes.some(({ type }) => AWAITED.includes(type))) return []
  const steps = await agentsAtWork(read, organizationId, graph)
  return steps
    .map((step) => ({ ...step, tools: [...new Set(step.configs.flatMap(askingTools))] }))
    .filter(({ tools }) => tools.length > 0)
    .map(({ node, index, path, tools }) => {
      const names = tools.slice(0, MOST_NAMES).join(', ')
      return {
        severity: 'warning',
        code: 'approval_not_awaited',
        path: `nodes.${index}.config.${path}`,
        message: `calls of ${names} may need approval: a run that is started with /run denies them, because its caller waits; start it with run-async`,
        nodeId: node.id,
        edgeId: null,
      }
    })
}
