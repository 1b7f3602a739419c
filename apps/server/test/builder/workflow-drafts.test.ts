import type { AuditedChange, BuilderWorkflow } from '@troupe/contract/builder'
import type { BuilderCaller } from '@troupe/operations/access/builder-caller'
import { getWorkflow } from '@troupe/operations/workflow-editor/get-workflow'
import { hookGraph } from '@troupe/test-kit/seed-webhook'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asMember, type BuilderClient } from './builder-caller.ts'

let server: TestServer
let ana: Awaited<ReturnType<typeof asMember>>
let bob: BuilderClient
let owner: BuilderClient

beforeAll(async () => {
  server = await startTestServer()
  ana = await asMember(server, 'member', 'Ana')
  bob = await asMember(server, 'member', 'Bob')
  owner = await asMember(server, 'owner', 'Olga')
})
afterAll(() => server[Symbol.asyncDispose]())

const node = (id: string, name = id) => ({
  id,
  type: id === 'start' ? 'manual-trigger' : 'edit-fields',
  name,
  parentId: null,
  position: { x: 0, y: 0 },
  config: {},
})
const edge = { id: 'e1', source: 'start', sourceHandle: 'out', target: 'shape' }

async function call<Body = Record<string, unknown>>(as: BuilderClient, target: string, body?: object) {
  const answer = await as.send(target, body)
  return { status: answer.status, body: answer.body as Body }
}

async function newWorkflow(draft: object = { nodes: [node('start')], edges: [] }): Promise<string> {
  const { body } = await call<BuilderWorkflow>(ana, 'POST /workflows', { name: 'Orders', draft })
  return body.workflowId
}

const draftOf = async (workflowId: string) =>
  (await call<BuilderWorkflow>(ana, `GET /workflows/${workflowId}`)).body.draft

const savesOf = async (workflowId: string) =>
  (
    await call<{ data: AuditedChange[] }>(
      owner,
      `GET /audit?entityKind=workflow&entityId=${workflowId}&action=workflow.draft_saved`,
    )
  ).body.data

test('changes of a draft are applied to the stored one; existing steps keep their positions', async () => {
  const workflowId = await newWorkflow()
  const path = `POST /workflows/${workflowId}/draft`
  const saved = await call(ana, path, {
    draftRevision: 1,
    changes: [
      { put: { node: node('shape') } },
      { put: { node: node('gone') } },
      { put: { node: node('start', 'Begin') } },
      { put: { edge } },
      { remove: { nodeId: 'gone' } },
    ],
  })
  expect(saved).toMatchObject({ status: 200, body: { draftRevision: 2, savedAt: expect.any(String) } })
  expect(await draftOf(workflowId)).toEqual({ nodes: [node('start', 'Begin'), node('shape')], edges: [edge] })
})

test('restoring a step at its position makes the draft equal to the published one', async () => {
  const step = (id: string) => ({ ...node(id), config: { rows: [{ name: 'n', value: id }] } })
  const behind = (target: string) => ({ ...edge, id: `to-${target}`, target })
  const nodes = [node('start'), step('shape'), step('last')]
  const workflowId = await newWorkflow({ nodes, edges: [behind('shape'), behind('last')] })
  const isPublished = async () =>
    (await call<BuilderWorkflow>(ana, `GET /workflows/${workflowId}`)).body.isDraftPublished
  const save = (draftRevision: number, changes: object[]) =>
    call(ana, `POST /workflows/${workflowId}/draft`, { draftRevision, changes })
  await call(ana, `POST /workflows/${workflowId}/publish`, { draftRevision: 1 })
  expect(await isPublished()).toBe(true)
  await save(1, [{ remove: { edgeId: 'to-shape' } }, { remove: { nodeId: 'shape' } }])
  expect(await isPublished()).toBe(false)
  await save(2, [
    { put: { node: step('shape'), before: 'last' } },
    { put: { edge: behind('shape'), before: 'to-last' } },
  ])
  expect(await isPublished()).toBe(true)
})

test('an invalid change stores nothing and names every error', async () => {
  const workflowId = await newWorkflow()
  const { status, body } = await call<{ errors: { path: string }[] }>(
    ana,
    `POST /workflows/${workflowId}/draft`,
    {
      draftRevision: 1,
      changes: [
        { put: { node: node('shape') } },
        { put: { node: { id: 'a b' } } },
        { put: { node: node('x'), edge } },
        {},
      ],
    },
  )
  expect(status).toBe(400)
  expect(body.errors.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['changes.1.put.node.id', 'changes.2', 'changes.3']),
  )
  expect(await draftOf(workflowId)).toEqual({ nodes: [node('start')], edges: [] })
})

test('changes made from an older draft are refused with its author', async () => {
  const workflowId = await newWorkflow()
  const path = `POST /workflows/${workflowId}/draft`
  const byBob = [{ put: { node: node('shape') } }]
  await call(bob, path, { draftRevision: 1, changes: byBob, gesture: 'Add shape' })
  const stale = await call(ana, path, { draftRevision: 1, changes: [{ remove: { nodeId: 'start' } }] })
  expect(stale).toMatchObject({
    status: 409,
    body: {
      error: 'draft_conflict',
      current: { number: 2, changedBy: { name: 'Bob' } },
      changesSince: [
        {
          revision: 2,
          changes: byBob,
          changedBy: { name: 'Bob' },
          gesture: 'Add shape',
          at: expect.any(String),
        },
      ],
    },
  })
  expect((await call(ana, path, { changes: [{ remove: { nodeId: 'start' } }] })).status).toBe(400)
})

test('a refusal omits the saved changes if not all of them are known, such as for a whole draft', async () => {
  const workflowId = await newWorkflow()
  const path = `POST /workflows/${workflowId}/draft`
  await call(bob, path, { draftRevision: 1, changes: [{ put: { node: node('shape') } }] })
  await call(bob, `PUT /workflows/${workflowId}`, { draftRevision: 2, draft: { nodes: [], edges: [] } })
  const stale = (draftRevision: number) =>
    call(ana, path, { draftRevision, changes: [{ put: { node: node('mine') } }] })
  for (const revision of [1, 7]) {
    const { status, body } = await stale(revision)
    expect([status, body.error, 'changesSince' in body]).toEqual([409, 'draft_conflict', false])
  }
})

test('the response to a save has whether callers run the draft now', async () => {
  const workflowId = await newWorkflow()
  const save = async (draftRevision: number, name: string) =>
    (
      await call(ana, `POST /workflows/${workflowId}/draft`, {
        draftRevision,
        changes: [{ put: { node: node('start', name) } }],
      })
    ).body.isDraftPublished
  expect(await save(1, 'Begin')).toBe(false)
  await call(ana, `POST /workflows/${workflowId}/publish`, { draftRevision: 2 })
  expect(await save(2, 'Begin')).toBe(true)
  expect(await save(2, 'Other')).toBe(false)
  expect(await save(3, 'Begin')).toBe(true)
  const since = await call(ana, `GET /workflows/${workflowId}/draft/changes?since=3`)
  expect(since.body).toMatchObject({ draftRevision: 4, isComplete: true, isDraftPublished: true })
})

test('saves of one user within five minutes are one audit entry: first before, last after', async () => {
  const workflowId = await newWorkflow()
  const path = `POST /workflows/${workflowId}/draft`
  const save = (as: BuilderClient, draftRevision: number, changes: object[], gesture: string) =>
    call(as, path, { draftRevision, changes, gesture })
  await save(ana, 1, [{ put: { node: node('start', 'One') } }, { put: { node: node('shape') } }], 'Add')
  await save(ana, 2, [{ put: { node: node('start', 'Two') } }, { remove: { nodeId: 'shape' } }], 'Rename')
  const [only, ...others] = await savesOf(workflowId)
  expect(others).toEqual([])
  expect(only).toMatchObject({
    actor: { name: 'Ana' },
    before: { draftRevision: 1, draft: { nodes: [{ name: 'start' }], edges: [] } },
    after: { draftRevision: 3, draft: { nodes: [{ name: 'Two' }], edges: [] }, gesture: 'Rename' },
  })
  await save(bob, 3, [{ put: { node: node('start', 'Three') } }], 'Rename')
  await save(ana, 4, [{ put: { node: node('start', 'Four') } }], 'Rename')
  const all = await savesOf(workflowId)
  expect(all.map(({ actor }) => actor.name)).toEqual(['Ana', 'Bob', 'Ana'])
  expect((await call<BuilderWorkflow>(ana, `GET /workflows/${workflowId}`)).body.updatedBy?.name).toBe('Ana')
})

test('a draft of several megabytes is saved', async () => {
  const workflowId = await newWorkflow()
  const config = { text: 'x'.repeat(2_000_000) }
  const saved = await call(ana, `PUT /workflows/${workflowId}`, {
    draftRevision: 1,
    draft: { nodes: [{ ...node('start'), config }], edges: [] },
  })
  expect(saved.status).toBe(200)
})

test('the preview counts the calls of seven days that lack a newly required field', async () => {
  const fields = (...required: string[]) => ({
    fields: ['orderId', 'note'].map((name) => ({ name, type: 'string', required: required.includes(name) })),
  })
  const workflowId = await newWorkflow(hookGraph(fields()))
  await call(ana, `POST /workflows/${workflowId}/publish`, { draftRevision: 1 })
  const send = (input: object) => server.call(`POST /api/v1/workflows/${workflowId}/run`, { body: { input } })
  await send({ orderId: 'a' })
  await send({ orderId: null })
  await send({})
  // A test in the builder is not a call.
  await call(ana, `POST /workflows/${workflowId}/runs`, { payload: {} })
  await call(ana, `PUT /workflows/${workflowId}`, { draftRevision: 1, draft: hookGraph(fields('orderId')) })
  const preview = await call(ana, `GET /workflows/${workflowId}/publish-preview`)
  expect(preview.body).toMatchObject({
    contract: [{ field: 'orderId', change: 'required', required: true, callsLacking: 2 }],
  })
})

test('the preview has the effects of a publish on tokens, the output and the form', async () => {
  const form = (mode: string) => ({
    title: 'Ask',
    auth: { mode },
    fields: [{ name: 'q', label: 'Q', type: 'text' }],
  })
  const step = (id: string, value: string) => ({
    ...{ ...node(id), type: 'edit-fields' },
    config: { rows: [{ name: 'value', value }] },
  })
  const edge = (source: string, target: string) => ({
    ...{ id: `${source} ${target}`, source, sourceHandle: 'out', target },
  })
  const workflowId = await newWorkflow({
    nodes: [
      { ...node('form'), type: 'form-trigger', config: form('service-login') },
      ...[step('look', 'x'), step('say', '{{ upstream.look.output.value }}')],
    ],
    edges: [edge('form', 'look'), edge('look', 'say')],
  })
  expect((await call(ana, `POST /workflows/${workflowId}/publish`, { draftRevision: 1 })).status).toBe(200)
  const same = await call(ana, `GET /workflows/${workflowId}/publish-preview`)
  expect(same.body).toMatchObject({ difference: { nodes: [], output: null, form: null } })
  const draft = {
    nodes: [
      { ...node('form'), type: 'form-trigger', config: form('none') },
      ...[step('say', '{{ upstream.look.output.value }}'), step('end', 'y')],
    ],
    edges: [edge('form', 'say'), edge('form', 'end')],
  }
  await call(ana, `PUT /workflows/${workflowId}`, { draftRevision: 1, draft })
  const { body } = await call(ana, `GET /workflows/${workflowId}/publish-preview`)
  expect(body).toMatchObject({
    difference: {
      tokens: {
        ...{ gained: [], lost: [], more: 0 },
        broken: [{ name: 'say', severity: 'error', message: 'there is no step look' }],
      },
      output: { before: [{ name: 'say' }], after: [{ name: 'end' }, { name: 'say' }] },
      form: { fields: [], access: { before: { mode: 'service-login' }, after: { mode: 'none' } } },
    },
  })
})

test('a version is restored over the draft that was read, never over a later one', async () => {
  const workflowId = await newWorkflow()
  await call(ana, `POST /workflows/${workflowId}/publish`, { draftRevision: 1 })
  const { body } = await call<{ data: { versionId: string }[] }>(ana, `GET /workflows/${workflowId}/versions`)
  const restore = `POST /workflows/${workflowId}/versions/${body.data[0]?.versionId}/restore`
  const draft = { nodes: [node('start', 'By Bob')], edges: [] }
  await call(bob, `PUT /workflows/${workflowId}`, { draft, draftRevision: 1 })
  expect(await call(ana, restore, { draftRevision: 1 })).toMatchObject({
    status: 409,
    body: { error: 'draft_conflict', current: { number: 2, changedBy: { name: 'Bob' } } },
  })
  expect(await draftOf(workflowId)).toEqual(draft)
  expect(await call(ana, restore)).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'draftRevision', message: 'is required' }] },
  })
  expect(await call(ana, restore, { draftRevision: 2 })).toMatchObject({
    status: 200,
    body: { draftRevision: 3 },
  })
})

test('a response has the revision of its own draft, despite concurrent saves', async () => {
  const workflowId = await newWorkflow()
  const { read } = server.context.database
  const { workflows } = read.builder
  const racing = {
    ...read,
    builder: {
      ...read.builder,
      workflows: {
        ...workflows,
        byId: async (...asked: Parameters<typeof workflows.byId>) => {
          const draft = { nodes: [node('start', 'Later')], edges: [] }
          await call(bob, `PUT /workflows/${workflowId}`, { draft, draftRevision: 1 })
          return workflows.byId(...asked)
        },
      },
    },
  }
  const parts = { box: server.context.secretBox, publicUrl: 'http://localhost' }
  const { organizationId } = server.seed
  const caller = { organizationId, projectId: null } as BuilderCaller
  expect(await getWorkflow(parts, racing, caller, workflowId)).toMatchObject({
    draftRevision: 1,
    draft: { nodes: [{ name: 'start' }] },
  })
})

test('an impossible revision is refused, and names its field', async () => {
  const workflowId = await newWorkflow()
  const changes = [{ remove: { nodeId: 'gone' } }]
  // Beyond the integers of the database, where a statement would fail.
  for (const revision of [2 ** 31, 2 ** 53, 1e308]) {
    const body = { draftRevision: revision, changes }
    for (const [target, sent] of [
      [`POST /workflows/${workflowId}/draft`, body],
      [`GET /workflows/${workflowId}/draft/changes?since=${revision}`, undefined],
      [`POST /workflows/${workflowId}/publish`, { draftRevision: revision }],
      [`POST /workflows/${workflowId}/test-runs/plan`, { draftRevision: revision, scope: { kind: 'all' } }],
    ] as const) {
      const answer = await ana.send(target, sent)
      expect([target, answer.status, answer.body]).toMatchObject([target, 400, { error: 'validation_error' }])
      expect(JSON.stringify(answer.body)).toMatch(/draftRevision|since/)
    }
  }
})

test('the id of a save counts for its own workflow only, including in another organization', async () => {
  const stranger = await asMember(server, 'owner', 'Stranger', server.seed.otherOrganizationId)
  const draft = { nodes: [node('start')], edges: [] }
  const made = await stranger.send('POST /workflows', { name: 'Theirs', draft })
  const foreignId = String((made.body as { workflowId: string }).workflowId)
  const changeId = crypto.randomUUID()
  const save = (as: BuilderClient, workflowId: string, id: string) =>
    as.send(`POST /workflows/${workflowId}/draft`, {
      draftRevision: 1,
      changeId,
      changes: [{ put: { node: node(id) } }],
    })
  const own = [await newWorkflow(), await newWorkflow()]
  for (const [at, workflowId] of own.entries()) {
    expect(await save(ana, workflowId, `own${at}`)).toMatchObject({ status: 200, body: { draftRevision: 2 } })
  }
  expect(await save(stranger, foreignId, 'theirs')).toMatchObject({ status: 200, body: { draftRevision: 2 } })
  expect(await draftOf(own[1] ?? '')).toMatchObject({ nodes: [{ id: 'start' }, { id: 'own1' }] })
  expect(await save(ana, foreignId, 'mine')).toMatchObject({
    status: 404,
    body: { error: 'workflow_not_found' },
  })
})
