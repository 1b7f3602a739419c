import type { Database } from '@troupe/storage'
import { openReusedDatabase } from '@troupe/storage/reused-database'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVENTUALLY, newTag } from '../jobs/job-setting.ts'
import { closedBySignal } from '../runs/held-polls.ts'
import { WorkflowSetting } from './workflow-setting.ts'

const resources = new AsyncDisposableStack()
let database: Database
let setting: WorkflowSetting
/** Whether this process's leases expire immediately: it looks dead to others, and continues to work. */
let looksDead = false
beforeAll(async () => {
  database = resources.use(await openReusedDatabase())
  const { workflowRuns, jobs } = database
  const leased = (seconds: number) => (looksDead ? -1 : seconds)
  const zombie: Database = {
    ...database,
    workflowRuns: {
      ...workflowRuns,
      accept: ({ claim, ...run }) => {
        const lease = claim && { ...claim, leaseSeconds: leased(claim.leaseSeconds) }
        return workflowRuns.accept({ ...run, claim: lease })
      },
      claim: (delivery, workerId, seconds) => workflowRuns.claim(delivery, workerId, leased(seconds)),
      renewLeases: async (...given) => (looksDead ? undefined : workflowRuns.renewLeases(...given)),
    },
    jobs: {
      ...jobs,
      claimChild: (runId, workerId, seconds) => jobs.claimChild(runId, workerId, leased(seconds)),
      renewLeases: async (...given) => (looksDead ? undefined : jobs.renewLeases(...given)),
    },
  }
  setting = resources.use(await WorkflowSetting.start({ overrides: { database: zombie } }))
})
afterAll(() => resources.disposeAsync())

const NODES = {
  agent: () => setting.agent('waits'),
  team: () => setting.team('waits', 'parallel'),
} as const

/** A run with a node whose agent or team waits for a model, in a process that looks dead. */
async function begin(kind: keyof typeof NODES) {
  looksDead = true
  const tag = newTag()
  setting.crew.holdFrom(tag, 1)
  const graph = { nodes: [node('start', 'manual-trigger'), NODES[kind]()], edges: [edge('start', 'waits')] }
  const executionId = await setting.start(await setting.publish(graph), tag)
  await expect.poll(() => setting.crew.hanging(tag).length, EVENTUALLY).toBeGreaterThan(0)
  const [childId] = setting.server.context.runs.active.runIds()
  if (!childId) throw new Error('no run below the node')
  return { tag, executionId, childId, open: setting.crew.heldCalls(tag) }
}

const scope = () => ({ organizationId: setting.server.seed.organizationId, projectId: null })
async function statusOf(kind: keyof typeof NODES, childId: string) {
  const subject = setting.jobs.subjects[kind === 'agent' ? 'agent' : 'parallel']
  const target = { kind, entityId: subject.id as never, runId: childId as never, isPlayground: false }
  return (await database.runs.find(scope(), target))?.status
}

describe.each(['agent', 'team'] as const)('the run of %s below a node', (kind) => {
  test('ends with a workflow that is cancelled while its worker is lost', async () => {
    const { tag, executionId, childId, open } = await begin(kind)
    const cancel = () => setting.change(executionId, 'cancel')
    expect((await closedBySignal([setting.server], open, cancel)).body).toMatchObject({ status: 'cancelled' })
    await setting.server.context.duties.perform('watchdog')
    await expect.poll(() => statusOf(kind, childId), EVENTUALLY).toBe('cancelled')
    expect(await setting.poll(executionId)).toMatchObject({ status: 'cancelled' })
    const { runs, workflows } = setting.server.context
    await expect.poll(() => runs.active.size + workflows.active.size, EVENTUALLY).toBe(0)
    expect(setting.crew.hanging(tag)).toEqual([])
  })

  test('ends with a workflow that the watchdog ends, and its call is aborted', async () => {
    const { executionId, childId, open } = await begin(kind)
    // Two more workers, each lost at the same node.
    for (const slice of [1, 2]) {
      await database.workflowRuns.sweep({ dispatchSeconds: 600, queueSeconds: 600, redeliverSeconds: 600 })
      const claimed = await database.workflowRuns.claim({ runId: executionId, slice }, `lost-${slice}`, -1)
      expect(claimed?.fence.slice).toBe(slice)
    }
    await setting.server.context.duties.perform('watchdog')
    expect(await setting.poll(executionId)).toMatchObject({
      status: 'failed',
      error: 'Node waits failed: the worker running it was lost 3 times',
    })
    await expect.poll(() => statusOf(kind, childId), EVENTUALLY).toBe('cancelled')
    for (const { request } of open) await request.aborted
    const ended = await database.workflowRuns.ended('nobody', [executionId])
    expect(ended).toEqual([{ runId: executionId, reason: 'cancel' }])
  })
})

test('a process that reclaims its own run continues it once, and aborts its earlier work', async () => {
  const { tag, executionId, open } = await begin('agent')
  looksDead = false
  setting.crew.release(tag)
  const { worker } = setting.server.context.workflows
  // The same delivery again, as after an engine lost its connection to this process.
  await worker.advance({ lane: 'workflows', runId: executionId, slice: 0 })
  for (const { request } of open) await request.aborted
  expect(await setting.untilEnded(executionId)).toMatchObject({ status: 'completed' })
  const calls = setting.crew.callsOf(tag)
  expect(calls.map(({ name, held }) => [name, held])).toEqual([
    ['chat', true],
    ['chat', false],
  ])
  expect((await setting.nodes(executionId)).at(-1)).toMatchObject({ status: 'completed', attempts: 2 })
})
