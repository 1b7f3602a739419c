import { checkedId, type NewId, newId, WorkflowRunId } from '@troupe/contract'
import { deleteWorkflow } from '@troupe/operations/publishing/delete-workflow'
import { type PublishWorkflowParts, publishWorkflow } from '@troupe/operations/publishing/publish-workflow'
import { unpublishWorkflow } from '@troupe/operations/publishing/unpublish-workflow'
import { createWorkflow } from '@troupe/operations/workflows/create-workflow'
import { listWorkflowVersions } from '@troupe/operations/workflows/list-workflow-versions'
import { restoreWorkflowVersion } from '@troupe/operations/workflows/restore-workflow-version'
import { updateWorkflow } from '@troupe/operations/workflows/update-workflow'
import type { Actor, Database } from '@troupe/storage'
import { openReusedDatabase } from '@troupe/storage/reused-database'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HeldEngine } from '../jobs/held-engine.ts'
import { WorkflowCaller } from './workflow-caller.ts'

// Faults of other engines when a process stops, or a workflow changes, while runs are in flight. Numbers
// are issues of the repository named before them.

const EVENTUALLY = { timeout: 15_000 }
const BUILDER: Actor = { kind: 'system', id: null, ip: null, requestId: null }

let database: Database
beforeAll(async () => {
  database = await openReusedDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

/** A server on the shared database, whose engine delivers only on command. */
async function startHeld() {
  const engine = new HeldEngine()
  const server = await startTestServer({ overrides: { database, engine } })
  server.context.duties[Symbol.dispose]()
  return { engine, server, caller: new WorkflowCaller(server) }
}

/** Another process on the same database: it takes over the runs of the previous one, as at a boot. */
async function startNext(): Promise<TestServer> {
  const next = await startTestServer({ overrides: { database } })
  await database.workflowRuns.recover()
  await next.context.duties.perform('watchdog')
  return next
}

/** Reads a run of an organization without keys on the current servers. */
const finderIn = (server: TestServer) => {
  const { organizationId } = server.seed
  return (executionId: string) =>
    database.workflowRuns.find({ organizationId, projectId: null }, checkedId(WorkflowRunId, executionId))
}

const says = (text: string) => ({
  nodes: [
    node('start', 'manual-trigger'),
    node('say', 'edit-fields', { rows: [{ name: 'text', value: text }] }),
  ],
  edges: [edge('start', 'say')],
})

describe('when a process stops', () => {
  // n8n-io/n8n#35059, #14286, #25080
  test('queued runs are not lost: the next process runs every one of them', async () => {
    const { server, caller, engine } = await startHeld()
    const find = finderIn(server)
    const id = await caller.publish(says('{{ trigger.n }}'))
    const executions: string[] = []
    for (let n = 0; n < 20; n += 1) executions.push(await caller.start(id, { n }))
    expect(engine.lose()).toHaveLength(20)
    await server[Symbol.asyncDispose]()

    await using _next = await startNext()
    for (const [n, executionId] of executions.entries()) {
      await expect.poll(async () => (await find(executionId))?.status, EVENTUALLY).toBe('completed')
      expect((await find(executionId))?.output).toEqual({ text: n })
    }
  })

  // n8n-io/n8n#23807
  test('a success stays a success', async () => {
    const server = await startTestServer({ overrides: { database } })
    const find = finderIn(server)
    const { executionId } = await new WorkflowCaller(server).runGraph(says('done'))
    const ended = await find(executionId)
    expect(ended).toMatchObject({ status: 'completed', output: { text: 'done' }, error: null })
    await server[Symbol.asyncDispose]()

    await using _next = await startNext()
    expect(await find(executionId)).toEqual(ended)
  })

  // n8n-io/n8n#22281
  test('a run in progress continues in the next process instead of running forever', async () => {
    const server = await startTestServer({ overrides: { database } })
    const find = finderIn(server)
    const caller = new WorkflowCaller(server)
    const agentId = server.seed.agents.organization
    const id = await caller.publish({
      nodes: [
        node('start', 'manual-trigger'),
        node('slow', 'ai-agent', { agentId, message: '[[delay: 1500]] hello' }),
      ],
      edges: [edge('start', 'slow')],
    })
    const executionId = await caller.start(id)
    await expect.poll(() => caller.status(executionId), EVENTUALLY).toBe('running')
    await server[Symbol.asyncDispose]()
    expect(await find(executionId)).toMatchObject({ status: 'running', completedAt: null })

    await using _next = await startNext()
    await expect.poll(async () => (await find(executionId))?.status, EVENTUALLY).toBe('completed')
    expect((await find(executionId))?.output).toBe('[sandbox] Organization agent: hello')
  })
})

describe('when a workflow changes', () => {
  let held: Awaited<ReturnType<typeof startHeld>>
  beforeAll(async () => {
    held = await startHeld()
  })
  afterAll(() => held.server[Symbol.asyncDispose]())
  let parts: PublishWorkflowParts & { newId: NewId }
  beforeEach(() => {
    const { configChanges, secretBox: box, passwords } = held.server.context
    parts = { database, configChanges, box, passwords, now: Date.now, newId: newId }
  })
  const scope = () => ({ organizationId: held.server.seed.organizationId, projectId: null })

  async function create(text: string): Promise<string> {
    const body = { name: 'Greeting', draft: says(text) }
    const { workflowId } = await createWorkflow(parts, scope(), BUILDER, body)
    await publishWorkflow(parts, scope(), BUILDER, workflowId)
    return workflowId
  }
  const save = (id: string, text: string, draftRevision: number) =>
    updateWorkflow(parts, scope(), BUILDER, id, { draft: says(text), draftRevision })
  /** Executes queued runs and returns the output of a run. */
  const outputOf = async (executionId: string) => {
    await held.engine.deliver()
    return (await held.caller.result(executionId)).output
  }

  // n8n-io/n8n#35558, #27196, #22543, #30266; activepieces/activepieces#1146, #3004
  test('a draft that was saved is not run before it is published', async () => {
    const id = await create('first')
    await save(id, 'second', 1)
    expect(await outputOf(await held.caller.start(id))).toEqual({ text: 'first' })
    await publishWorkflow(parts, scope(), BUILDER, id)
    expect(await outputOf(await held.caller.start(id))).toEqual({ text: 'second' })
  })

  test('a run keeps the version that was published when it was accepted', async () => {
    const id = await create('first')
    const accepted = await held.caller.start(id)
    await save(id, 'second', 1)
    await publishWorkflow(parts, scope(), BUILDER, id)
    const later = await held.caller.start(id)
    expect(await outputOf(accepted)).toEqual({ text: 'first' })
    expect(await outputOf(later)).toEqual({ text: 'second' })
  })

  test('after unpublishing, runs in flight finish and new ones are 409; after deleting they finish and it is 404', async () => {
    const id = await create('still')
    const [one, two] = [await held.caller.start(id), await held.caller.start(id)]
    const call = () => held.server.call(`POST /api/v1/workflows/${id}/run-async`)
    await unpublishWorkflow(parts, scope(), BUILDER, id)
    expect(await call()).toMatchObject({ status: 409, body: { error: 'workflow_not_published' } })
    expect(await outputOf(one)).toEqual({ text: 'still' })
    expect(await held.caller.status(two)).toBe('completed')

    await publishWorkflow(parts, scope(), BUILDER, id)
    const three = await held.caller.start(id)
    await deleteWorkflow(parts, scope(), BUILDER, id)
    expect(await call()).toMatchObject({ status: 404, body: { error: 'workflow_not_found' } })
    expect(await outputOf(three)).toEqual({ text: 'still' })
  })

  // activepieces/activepieces#13713
  test('deleted parts of a draft, or all of it, are restored from any published version', async () => {
    const id = await create('precious')
    await updateWorkflow(parts, scope(), BUILDER, id, { draft: { nodes: [], edges: [] }, draftRevision: 1 })
    expect(await outputOf(await held.caller.start(id)), 'callers notice nothing').toEqual({
      text: 'precious',
    })
    const { data } = await listWorkflowVersions(database.read, scope(), id)
    const version = { workflowId: id, versionId: data[0]?.versionId ?? '' }
    const restored = await restoreWorkflowVersion(parts, scope(), BUILDER, version, { draftRevision: 2 })
    const { nodes } = restored.draft as { nodes: { id: string }[] }
    expect(nodes.map(({ id: nodeId }) => nodeId)).toEqual(['start', 'say'])
  })
})
