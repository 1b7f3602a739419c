import { newId, type OrganizationId, type ProjectId, WorkflowId } from '@troupe/contract'
import type { Actor, Database } from '@troupe/storage'

const SEEDER: Actor = { kind: 'system', id: null, ip: null, requestId: null }

/** A graph of one manual trigger, whose output is the input of the run. */
export const ECHO_GRAPH = {
  nodes: [{ id: 'start', type: 'manual-trigger', name: 'Start', position: { x: 0, y: 0 }, config: {} }],
  edges: [],
}

/** A graph that waits for an approval. */
export const REVIEW_GRAPH = {
  nodes: [
    ...ECHO_GRAPH.nodes,
    {
      id: 'ask',
      type: 'human-review',
      name: 'Ask',
      position: { x: 1, y: 0 },
      config: { title: 'May it go on?' },
    },
  ],
  edges: [{ id: 'start-ask', source: 'start', sourceHandle: 'out', target: 'ask' }],
}

/** The location and graph of a workflow. */
export interface WorkflowSeed {
  organizationId: OrganizationId
  projectId: ProjectId | null
  name?: string
  /** {@link ECHO_GRAPH} by default. */
  graph?: unknown
  /** True by default. */
  publish?: boolean
}

/** Inserts a workflow into the database, published by default. */
export async function seedWorkflow(
  database: Pick<Database, 'transaction'>,
  { organizationId, projectId, name = 'Echo', graph = ECHO_GRAPH, publish = true }: WorkflowSeed,
): Promise<WorkflowId> {
  const id = newId(WorkflowId)
  await database.transaction(async ({ write }) => {
    const record = { id, organizationId, projectId, slug: null, name, description: null, draft: graph }
    await write.workflows.insert(record)
    if (!publish) return
    await write.workflows.publish({ organizationId, id, graph, resources: [], createdBy: SEEDER })
  })
  return id
}
