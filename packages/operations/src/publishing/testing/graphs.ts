import type { AgentId, CreateWorkflowBody, IdText } from '@troupe/contract'

type Json = Record<string, unknown>

/** Shorthand for a node whose id is its name. */
export const node = (id: string, type: string, config: Json = {}): Json => ({ id, type, name: id, config })

/** Shorthand for an edge: `a > b`, or `a.true > b` for another handle than `out`. */
function edge(text: string): Json {
  const [from = '', target = ''] = text.split(' > ')
  const [source, sourceHandle] = from.split('.')
  return { id: text.replaceAll(/[^a-z-]+/g, '-'), source, target, ...(sourceHandle ? { sourceHandle } : {}) }
}

/** A graph whose trigger is the manual trigger `start`. */
export function graph(
  nodes: readonly Json[] = [],
  edges: readonly string[] = [],
): NonNullable<CreateWorkflowBody['draft']> {
  return { nodes: [node('start', 'manual-trigger'), ...nodes], edges: edges.map(edge) }
}

/** A graph in which an agent answers. */
export function withAgent(agentId: IdText<AgentId>, message = '{{ trigger.text }}') {
  return graph([node('answer', 'ai-agent', { agentId, message })], ['start > answer'])
}
