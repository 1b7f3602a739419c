import type { ModelReply, RecordedBody } from '@troupe/test-kit/model-server'

/** A diamond: t1, then t2 and t3 in parallel, then t4. */
const DIAMOND = [
  { id: 't1', assignee: 'm1', depends_on: [] },
  { id: 't2', assignee: 'm2', depends_on: ['t1'] },
  { id: 't3', assignee: 'm3', depends_on: ['t1'] },
  { id: 't4', assignee: 'm4', depends_on: ['t2', 't3'] },
].map((task) => ({ ...task, title: `Task ${task.id}`, description: `Do ${task.id} of the benchmark.` }))

const PLAN = {
  goal: 'The benchmark has run.',
  done_criteria: [{ id: 'c1', text: 'Every task has a result.' }],
  tasks: DIAMOND,
}

const TEXT: ModelReply = { text: 'Hello from the model server.' }

const calling = (name: string, input: unknown): ModelReply => ({ toolCalls: [{ name, arguments: input }] })

/** Two rounds of one delegation each, then the answer: the prompt shows the number of results. */
function delegation({ messages = [] }: RecordedBody): ModelReply {
  const results = messages.filter(({ role }) => role === 'tool').length
  const member = `m${results + 1}`
  return results < 2 ? calling('delegate', { member, task: `Part ${results + 1} of the benchmark.` }) : TEXT
}

/** A review's output schema, whose enums list the plan's tasks and the completed ones. */
interface ReviewForm {
  properties: {
    criteria: { items: { properties: { evidence: { items: { enum: string[] } } } } }
    retry: { items: { properties: { id: { enum: string[] } } } }
  }
}

function review({ properties: { criteria, retry } }: ReviewForm): ModelReply {
  const completed = criteria.items.properties.evidence.items.enum
  const done = completed.length === retry.items.properties.id.enum.length
  return calling('review', {
    criteria: [{ id: 'c1', met: done, evidence: done ? ['t4'] : [] }],
    verdict: done ? 'complete' : 'continue',
    reason: 'The script says so.',
    add: [],
    retry: [],
    cancel: [],
  })
}

/**
 * The reply of a lead or a member of the measured teams. It depends only on the request, so runs may overlap.
 */
export function teamReply(body: RecordedBody): ModelReply {
  const tool = body.tools?.[0]?.function
  switch (tool?.name) {
    case 'route':
      return calling('route', { member: 'm2', task: 'Answer the benchmark.' })
    case 'broadcast':
      return calling('broadcast', { task: 'Answer the benchmark, all of you.' })
    case 'delegate':
      return delegation(body)
    case 'submit_plan':
      return calling('submit_plan', PLAN)
    case 'review':
      return review(tool.parameters as ReviewForm)
    default:
      return TEXT
  }
}
