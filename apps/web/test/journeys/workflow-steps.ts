import type { BuilderWorkflow } from '@troupe/contract/builder'
import type { Journey } from './journey.ts'
import { asOperator } from './operator.ts'

/** A trigger, and a step with one value. */
export const PAY_GRAPH = {
  nodes: [
    { id: 'start', type: 'manual-trigger', name: 'Start', config: {} },
    { id: 'pay', type: 'edit-fields', name: 'Pay', config: { rows: [{ name: 'order', value: '1' }] } },
  ],
  edges: [{ id: 'e1', source: 'start', target: 'pay' }],
}

/** Makes a workflow with a draft, and returns its id. */
export async function newWorkflow(
  journey: Journey,
  name: string,
  draft: object = PAY_GRAPH,
): Promise<string> {
  return (await asOperator<BuilderWorkflow>(journey, 'POST /workflows', { name, draft })).workflowId
}

/** Creates a workflow with a published draft, and returns its id. */
export async function publishedWorkflow(journey: Journey, name: string, draft: object): Promise<string> {
  const workflowId = await newWorkflow(journey, name, draft)
  await asOperator(journey, `POST /workflows/${workflowId}/publish`, { draftRevision: 1 })
  return workflowId
}

export const storedWorkflow = (journey: Journey, workflowId: string) =>
  asOperator<BuilderWorkflow>(journey, `GET /workflows/${workflowId}`)

export const nodesOf = ({ draft }: BuilderWorkflow) =>
  draft.nodes as { id: string; name: string; config: unknown }[]

export const workflowPath = ({ slug }: Journey, workflowId: string, search = '') =>
  `/o/${slug}/workflows/${workflowId}${search}`

/** A colleague renames a step. */
export async function renameStep(
  journey: Journey,
  workflowId: string,
  id: string,
  name: string,
): Promise<void> {
  const now = await storedWorkflow(journey, workflowId)
  const node = { ...nodesOf(now).find((one) => one.id === id), name }
  await asOperator(journey, `POST /workflows/${workflowId}/draft`, {
    draftRevision: now.draftRevision,
    changes: [{ put: { node } }],
  })
}
