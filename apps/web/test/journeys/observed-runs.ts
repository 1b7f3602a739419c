import { propertyOf } from '@troupe/contract'
import { seedTeam } from '@troupe/test-kit/seed-team'
import { ECHO_GRAPH, seedWorkflow } from '@troupe/test-kit/seed-workflow'
import type { Journey } from './journey.ts'

export interface SeededRuns {
  /** The agent that ran in a session. */
  agentId: string
  /** The workflow that failed. */
  failingId: string
  teamRunId: string
  workflowRunId: string
}

/** Runs of an agent in a session, of a team, of a workflow, and two failures with one cause. */
export async function seedRuns({ server }: Journey): Promise<SeededRuns> {
  const call = (target: string, body: object) => server.call(target, { body })
  const { organizationId, agents } = server.seed
  const agentId = agents.organization
  for (const message of ['Where is my order?', 'And when does it arrive?', 'Thank you']) {
    await call(`POST /api/v1/agents/${agentId}/run`, {
      ...{ message, session_id: 'chat-7', user_id: 'ana@acme.test', tag: 'web' },
    })
  }
  const { teamId } = await seedTeam(server.context.database, { organizationId, projectId: null })
  const ofTeam = await call(`POST /api/v1/teams/${teamId}/run-sync`, { message: 'Who pays for this?' })
  const teamRunId = String(propertyOf(ofTeam.body, 'runId'))
  const set = (value: string) => ({
    nodes: [
      ...ECHO_GRAPH.nodes,
      {
        ...{ id: 'set', type: 'variable', name: 'Set', position: { x: 1, y: 0 } },
        config: { rows: [{ name: 'x', op: 'set', value }] },
      },
    ],
    edges: [{ id: 'e', source: 'start', sourceHandle: 'out', target: 'set' }],
  })
  const seeded = (name: string, graph: object) =>
    seedWorkflow(server.context.database, { organizationId, projectId: null, name, graph })
  const good = await seeded('Orders', set('{{ trigger.order }}'))
  const ran = await call(`POST /api/v1/workflows/${good}/run`, { input: { order: 'A-1' } })
  const workflowRunId = String(propertyOf(ran.body, 'executionId'))
  const failingId = await seeded('Broken', set('{{ trigger.missing }}'))
  for (let count = 0; count < 2; count += 1) await call(`POST /api/v1/workflows/${failingId}/run`, {})
  return { agentId, failingId, teamRunId, workflowRunId }
}
