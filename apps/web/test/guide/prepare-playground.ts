import { isJsonObject, propertyOf } from '@troupe/contract'
import { expect } from 'vitest'
import { supportTriage } from '../../src/core/workflows/templates/support-triage.ts'
import { filledGraph } from '../../src/core/workflows/templates/template.ts'
import { ORDERS, ORDERS_OF_A_DAY } from '../journeys/orders-graph.ts'
import type { LocalServer } from '../local-server.ts'

const ORGANIZATION = '/api/builder/v1/organizations/playground'
const WAIT = { timeout: 30_000, interval: 100 }

/** Calls the builder's API as the Playground's owner; texts of streams come as they are. */
type Call = (target: string, body?: object) => Promise<unknown>

/**
 * Uses the Playground like a user: a team and an agent are called, a form waits for a refund's approval, one call
 * fails.
 *
 * @returns the URLs of the resulting pages
 */
export async function preparePlayground(server: LocalServer) {
  const call = await asOwner(server)
  const teamId = await idOf(call, 'teams', 'teamId', 'Newsroom')
  const agentId = await idOf(call, 'agents', 'agentId', 'Researcher')
  const triage = await idOf(call, 'workflows', 'workflowId', 'Triage')
  const refund = await idOf(call, 'workflows', 'workflowId', 'Refund')
  await call(`POST /teams/${teamId}/playground`, {
    message: 'Research the history of the bicycle, write a short article and check it for mistakes.',
    stream: true,
  })
  await call(`POST /agents/${agentId}/playground`, {
    message: 'How long does a refund take? [[tool: search_knowledge {"query":"refund"}]]',
    stream: true,
  })
  await call(`POST /workflows/${triage}/runs`, { payload: { text: 'Where is my parcel?' } })
  await call(`POST /workflows/${triage}/runs`, { payload: { text: 'My invoice is wrong. [[fail: 400]]' } })
  await call(`POST /workflows/${refund}/runs`, { payload: { order: 'A-1001', amount: 129 } })
  const trace = await runOf(call, 'team')
  const orders = textOf(
    await call('POST /workflows', { name: 'Orders of a day', draft: ORDERS }),
    'workflowId',
  )
  await call(`POST /workflows/${orders}/publish`, { draftRevision: 1 })
  const run = textOf(
    await call(`POST /workflows/${orders}/runs`, { payload: ORDERS_OF_A_DAY }),
    'executionId',
  )
  const statusOf = async (id: string) => textOf(await call(`GET /runs/${id}`), 'status')
  await expect.poll(() => statusOf(run), WAIT).toBe('failed')
  const support = await testedTriage(call, 'Support triage')
  const mistyped = await testedTriage(call, 'Support triage, mistyped')
  await expect.poll(() => statusOf(support.runId), WAIT).toBe('completed')
  const { nodes } = supportTriage.graph
  const answer = nodes.find(({ id }) => id === 'answer')
  await call(`POST /workflows/${mistyped.workflowId}/draft`, {
    draftRevision: 1,
    changes: [
      {
        put: { node: { ...answer, config: { ...answer?.config, prompt: 'Answer: {{ trigger.body.txt }}' } } },
      },
    ],
  })
  await expect.poll(async () => rowsOf(await call('GET /reviews')).length, WAIT).toBe(1)
  const [review] = rowsOf(await call('GET /reviews'))
  const base = '/o/playground'
  return {
    home: base,
    agent: `${base}/agents/${agentId}`,
    team: `${base}/teams/${teamId}`,
    trace: `${base}/runs/${trace}`,
    workflow: `${base}/workflows/${triage}`,
    map: `${base}/workflows/${orders}?view=map&run=${run}&node=price`,
    canvas: `${base}/workflows/${support.workflowId}?view=map&node=sort`,
    step: `${base}/workflows/${support.workflowId}?view=map&node=answer&edit=1&wide=1`,
    repair: `${base}/workflows/${mistyped.workflowId}?view=map&node=answer&edit=1`,
    review: `${base}/reviews/${textOf(review, 'reviewId')}`,
  }
}

/** A workflow from the template of a support triage, tested once with its example. */
async function testedTriage(call: Call, name: string): Promise<{ workflowId: string; runId: string }> {
  const made = await call('POST /workflows', { name, draft: filledGraph(supportTriage, null) })
  const workflowId = textOf(made, 'workflowId')
  const started = await call(`POST /workflows/${workflowId}/test-runs`, {
    ...{ draftRevision: 1, scope: { kind: 'all' }, payload: supportTriage.payload },
  })
  return { workflowId, runId: textOf(started, 'executionId') }
}

async function asOwner({ url, owner }: LocalServer): Promise<Call> {
  const headers = { origin: url, 'content-type': 'application/json' }
  const signIn = await fetch(`${url}/api/builder/v1/session`, {
    method: 'POST',
    headers,
    body: JSON.stringify(owner),
  })
  const cookie = signIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  return async (target, body) => {
    const [method = 'GET', path] = target.split(' ')
    const answer = await fetch(`${url}${ORGANIZATION}${path}`, {
      method,
      headers: { ...headers, cookie },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    expect(answer.ok, `${target}: ${text.slice(0, 2_000)}`).toBe(true)
    return answer.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text
  }
}

const rowsOf = (page: unknown): unknown[] => {
  const data = propertyOf(page, 'data')
  return Array.isArray(data) ? data : []
}

function textOf(row: unknown, property: string): string {
  const value = isJsonObject(row) ? row[property] : null
  if (typeof value !== 'string') throw new Error(`There is no ${property} in ${JSON.stringify(row)}`)
  return value
}

async function idOf(call: Call, list: string, property: string, name: string): Promise<string> {
  const page = await call(`GET /${list}?q=${name}`)
  return textOf(
    rowsOf(page).find((row) => propertyOf(row, 'name') === name),
    property,
  )
}

async function runOf(call: Call, kind: string): Promise<string> {
  const [run] = rowsOf(await call(`GET /runs?kind=${kind}`))
  return textOf(run, 'runId')
}
