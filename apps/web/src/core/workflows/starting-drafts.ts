import type { AgentId, IdText } from '@troupe/contract'
import type { Graph, GraphEdge, GraphNode } from '@troupe/graph'

/** The start of a new workflow. */
export const STARTS = ['manual-trigger', 'http-request', 'form-trigger', 'recurrence'] as const
export type Start = (typeof STARTS)[number]

/** Names that a new workflow gives to its nodes. */
export interface StartingNames {
  starts: Readonly<Record<Start, string>>
  /** Texts of the form and of its question. */
  formTitle: string
  question: string
  /** The message to an agent on a schedule, without a user. */
  task: string
  agent: string
  review: string
  /** The name of the step after a form, if there is no other one. */
  keep: string
}

/** The user's choices for a new workflow. */
export interface StartingChoice {
  start: Start
  /** Receives the trigger's payload; null: no step follows the trigger. */
  agentId: IdText<AgentId> | null
  /** Whether a reviewer approves the answer. */
  isReviewed: boolean
  /** IANA name, of the schedule. */
  timeZone: string
}

const MESSAGES: Readonly<Record<Start, string>> = {
  'manual-trigger': '{{ trigger.message }}',
  // The whole payload: a webhook binds it below `body`, and the API and MCP clients bind their input unchanged.
  'http-request': '{{ trigger }}',
  'form-trigger': '{{ trigger.body.message }}',
  recurrence: '',
}

/** A first draft that can be published unchanged: a trigger and the steps after it. */
export function startingDraft(choice: StartingChoice, names: StartingNames): Graph {
  const { start, agentId, isReviewed } = choice
  const nodes = [nodeOf('start', start, names.starts[start], triggerConfig(choice, names))]
  if (agentId !== null) {
    const message = MESSAGES[start] || names.task
    nodes.push(nodeOf('agent', 'ai-agent', names.agent, { agentId, message }))
    if (isReviewed) {
      const show = [{ label: names.agent, value: '{{ upstream.agent.output }}' }]
      nodes.push(nodeOf('review', 'human-review', names.review, { title: names.review, show }))
    }
  }
  if (keepsQuestion(choice)) {
    const rows = [{ name: 'message', value: MESSAGES[start] }]
    nodes.push(nodeOf('keep', 'edit-fields', names.keep, { rows }))
  }
  return { nodes, edges: chain(nodes) }
}

/** Whether a step stores the answers of a form: a form that starts nothing is refused. */
export function keepsQuestion({ start, agentId }: Pick<StartingChoice, 'start' | 'agentId'>): boolean {
  return agentId === null && start === 'form-trigger'
}

function triggerConfig({ start, timeZone }: StartingChoice, { formTitle, question }: StartingNames) {
  const field = { name: 'message', type: 'string', required: true }
  switch (start) {
    case 'manual-trigger':
      return {}
    case 'http-request':
      return { fields: [field], sample: { message: question } }
    case 'form-trigger':
      return {
        title: formTitle,
        fields: [{ name: 'message', label: question, type: 'textarea', required: true }],
      }
    case 'recurrence':
      return { mode: 'cron', cron: '0 9 * * MON-FRI', timezone: timeZone }
    default:
      return start satisfies never
  }
}

function nodeOf(id: string, type: string, name: string, config: Record<string, unknown>): GraphNode {
  return { id, type, name, parentId: null, position: { x: 0, y: 0 }, config }
}

function chain(nodes: readonly GraphNode[]): GraphEdge[] {
  return nodes.slice(1).map(({ id: target }, index) => {
    const source = nodes[index]?.id ?? ''
    return { id: `${source}-${target}`, source, sourceHandle: 'out', target }
  })
}
