import { checkedId, propertyOf, WorkflowId, WorkflowRunId } from '@troupe/contract'
import type { Pin } from '@troupe/contract/builder'
import { ChangeWatch } from '@troupe/operations/events/change-watch'
import { watchedTopics } from '@troupe/operations/events/topics'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asMember } from './builder-caller.ts'

let server: TestServer
let eva: Awaited<ReturnType<typeof asMember>>
beforeAll(async () => {
  server = await startTestServer()
  eva = await asMember(server, 'member', 'Eva')
})
afterAll(() => server[Symbol.asyncDispose]())

const fields = (id: string, value: string) => node(id, 'edit-fields', { rows: [{ name: 'v', value }] })
const agent = () =>
  node('ask', 'ai-agent', {
    agentId: server.seed.agents.organization,
    message: '{{ upstream.first.output.v }}',
  })

interface Draft {
  workflowId: string
  draftRevision: number
}

async function draftOf(...more: object[]): Promise<Draft> {
  const draft = {
    nodes: [node('start', 'manual-trigger'), fields('first', 'Hi'), agent(), ...more],
    edges: [edge('start', 'first'), edge('first', 'ask'), ...(more.length > 0 ? [edge('ask', 'last')] : [])],
  }
  return (await eva.send('POST /workflows', { name: 'Pinned', draft })).body as Draft
}

const listed = async ({ workflowId }: Draft) =>
  propertyOf((await eva.send(`GET /workflows/${workflowId}/pins`)).body, 'data') as Pin[]
const pin = ({ workflowId }: Draft, nodeId: string, body: object) =>
  eva.send(`PUT /workflows/${workflowId}/pins/${nodeId}`, body)

async function changed({ workflowId, draftRevision }: Draft, ...changes: object[]): Promise<Draft> {
  const { status, body } = await eva.send(`POST /workflows/${workflowId}/draft`, {
    draftRevision,
    changes,
  })
  expect(status).toBe(200)
  return { workflowId, draftRevision: Number(propertyOf(body, 'draftRevision')) }
}

async function tested({ workflowId, draftRevision }: Draft, seeds: object): Promise<unknown> {
  const body = { draftRevision, scope: { kind: 'all' }, payload: {}, seeds }
  const started = await eva.send(`POST /workflows/${workflowId}/test-runs`, body)
  expect([started.status, started.body]).toEqual([202, expect.anything()])
  const path = `GET /runs/${propertyOf(started.body, 'executionId')}`
  const read = async () => propertyOf((await eva.send(path)).body, 'completedAt')
  await expect.poll(read, { timeout: 15_000 }).not.toBeNull()
  return (await eva.send(path)).body
}

test('a pinned output is used by tests with pins, and by nothing else', async () => {
  const draft = await draftOf(fields('last', '{{ upstream.ask.output }}'))
  expect(await pin(draft, 'ask', { output: 'Pinned!' })).toMatchObject({
    status: 200,
    body: { nodeId: 'ask', output: 'Pinned!', isOlder: false, fromRunId: null },
  })
  const taken = await tested(draft, { usePins: true })
  expect(propertyOf(taken, 'workflowRun')).toMatchObject({
    output: { v: 'Pinned!' },
    nodes: [{}, {}, { nodeId: 'ask', seeded: { origin: 'pin' } }, {}],
  })
  const executed = await tested(draft, {})
  expect(propertyOf(executed, 'workflowRun')).toMatchObject({
    output: { v: expect.not.stringContaining('Pinned!') },
    nodes: [{}, {}, { nodeId: 'ask', seeded: null }, {}],
  })
  const { workflowId, draftRevision } = draft
  expect((await eva.send(`POST /workflows/${workflowId}/publish`, { draftRevision })).status).toBe(200)
  const run = await eva.send(`POST /workflows/${workflowId}/runs`, { payload: {} })
  const path = `GET /runs/${propertyOf(run.body, 'executionId')}`
  const read = async () => propertyOf((await eva.send(path)).body, 'completedAt')
  await expect.poll(read, { timeout: 15_000 }).not.toBeNull()
  expect(JSON.stringify((await eva.send(path)).body)).not.toContain('Pinned!')
})

test('a pin is older once an earlier step changes, is copied completely from a run, and is deleted with its step', async () => {
  const draft = await draftOf()
  const run = (await tested(draft, {})) as { runId: string }
  const taken = await pin(draft, 'ask', { fromRunId: run.runId })
  expect(taken).toMatchObject({ status: 200, body: { fromRunId: run.runId, isOlder: false } })
  const own = await changed(draft, { put: { node: { ...agent(), name: 'Ask somebody' } } })
  expect(await listed(own)).toMatchObject([{ isOlder: false }])
  const older = await changed(own, { put: { node: fields('first', 'Other') } })
  expect(await listed(older)).toMatchObject([{ nodeId: 'ask', isOlder: true }])
  await pin(older, 'ask', { output: 1 })
  expect(await listed(older)).toMatchObject([{ output: 1, isOlder: false, fromRunId: null }])
  const without = await changed(older, { remove: { edgeId: 'first-out-ask' } })
  await changed(without, { remove: { nodeId: 'ask' } })
  expect(await listed(older)).toEqual([])
})

test('a pin follows a step with a changed id, and only that step', async () => {
  const draft = await draftOf()
  await pin(draft, 'ask', { output: 'kept' })
  await pin(draft, 'first', { output: 'other' })
  const [before] = await listed(draft)
  const unpinned = { put: { node: fields('stale', 'x') } }
  const renamed = (from: string, to: string, nodes: object[], ...more: object[]) => [
    { remove: { edgeId: `first-out-${from}` } },
    { remove: { nodeId: from } },
    ...nodes.map((node) => ({ put: { node, formerId: from } })),
    { put: { edge: edge('first', to) } },
    ...more,
  ]
  const asked = (id: string) => ({ ...agent(), id })
  const once = await changed(draft, ...renamed('ask', 'question', [asked('question')], unpinned))
  expect(await listed(once)).toMatchObject([
    { nodeId: 'first', output: 'other' },
    { ...before, nodeId: 'question', isOlder: false },
  ])
  // Two steps claim the same origin: the pin belongs to one.
  const twice = await changed(once, ...renamed('question', 'ask', [asked('ask'), asked('copy')]))
  expect((await listed(twice)).map(({ nodeId }) => nodeId)).toEqual(['ask', 'first'])
  // An origin that still exists, or never did, keeps its pin.
  const copy = { ...asked('copy-2'), name: 'Copy 2' }
  const copied = await changed(twice, { put: { node: copy, formerId: 'ask' } }, unpinned)
  const foreign = await changed(copied, { put: { node: asked('copy-3'), formerId: 'zz' } })
  expect((await listed(foreign)).map(({ nodeId }) => nodeId)).toEqual(['ask', 'first'])
  // Replacing the whole draft leaves the pin of `ask` behind, which must not affect another step with that id.
  const nodes = [node('start', 'manual-trigger'), fields('first', 'Hi')]
  const replaced = await eva.send(`PUT /workflows/${draft.workflowId}`, {
    draftRevision: foreign.draftRevision,
    draft: { nodes, edges: [edge('start', 'first')] },
  })
  expect(replaced.status).toBe(200)
  const whole = { ...draft, draftRevision: Number(propertyOf(replaced.body, 'draftRevision')) }
  const taking = { put: { node: fields('ask', 'Hi'), formerId: 'first' } }
  await changed(whole, { remove: { edgeId: 'start-out-first' } }, { remove: { nodeId: 'first' } }, taking)
  expect(await listed(whole)).toMatchObject([{ nodeId: 'ask', output: 'other' }])
})

test('pins follow their steps when ids are swapped or passed on in one save', async () => {
  const draft = await draftOf()
  await pin(draft, 'ask', { output: 'of ask' })
  await pin(draft, 'first', { output: 'of first' })
  const outputs = async () =>
    Object.fromEntries(
      (await listed(draft)).map((one) => [propertyOf(one, 'nodeId'), propertyOf(one, 'output')]),
    )
  const asked = (id: string) => ({ ...agent(), id, name: 'Asks' })
  const swapped = await changed(
    draft,
    { put: { node: asked('first'), formerId: 'ask' } },
    { put: { node: fields('ask', 'Hi'), formerId: 'first' } },
  )
  expect(await outputs()).toEqual({ first: 'of ask', ask: 'of first' })
  // `first` gets a new id, and `ask` gets the old id of `first`.
  const passedOn = await changed(
    swapped,
    { remove: { edgeId: 'first-out-ask' } },
    { remove: { nodeId: 'first' } },
    { put: { node: asked('third'), formerId: 'first' } },
    { remove: { nodeId: 'ask' } },
    { put: { node: fields('first', 'Hi'), formerId: 'ask' } },
  )
  expect(await outputs()).toEqual({ third: 'of ask', first: 'of first' })
  // A step that only changes keeps its id, so a claim of that id has no effect, and neither does a claim that
  // depends on it.
  const claimed = await changed(
    passedOn,
    { put: { node: fields('third', 'Ho'), formerId: 'first' } },
    { put: { node: fields('fourth', 'x'), formerId: 'third' } },
    { put: { node: fields('first', 'Edited') } },
  )
  expect(await outputs()).toEqual({ third: 'of ask', first: 'of first' })
  // Steps whose values have other meanings: the list of a Loop, and an output.
  const looped = await changed(claimed, { put: { node: node('third', 'loop', { mode: 'count', count: 2 }) } })
  await pin(looped, 'third', { output: [1, 2] })
  const kinds = await changed(
    looped,
    { put: { node: node('first', 'loop', { mode: 'count', count: 2 }), formerId: 'third' } },
    { put: { node: fields('third', 'Edited'), formerId: 'first' } },
  )
  expect(await outputs()).toEqual({ first: [1, 2], third: 'of first' })
  await changed(
    kinds,
    { put: { node: node('third', 'loop', { mode: 'count', count: 2 }), formerId: 'first' } },
    { put: { node: fields('first', 'Edited'), formerId: 'third' } },
  )
  expect(await outputs()).toEqual({ third: [1, 2], first: 'of first' })
})

test('a pin is restored with its step by an undo, even after a rename, and not for another step with its id', async () => {
  const draft = await draftOf()
  await pin(draft, 'ask', { output: 'kept' })
  const [before] = await listed(draft)
  const removal = [{ remove: { edgeId: 'first-out-ask' } }, { remove: { nodeId: 'ask' } }]
  const back = [{ put: { node: agent() } }, { put: { edge: edge('first', 'ask') } }]
  const removed = await changed(draft, ...removal)
  expect(await listed(removed)).toEqual([])
  // A detached pin is ignored by tests and by the limits of pins.
  const test = await tested(removed, { usePins: true })
  expect(JSON.stringify(test)).not.toContain('kept')
  const undone = await changed(removed, ...back)
  expect(await listed(undone)).toEqual([before])
  // Removed and restored in one save.
  const replaced = await changed(undone, ...removal, ...back)
  expect(await listed(replaced)).toEqual([before])
  const again = await changed(await changed(replaced, ...removal), {
    put: { node: { ...agent(), name: 'By another name', position: { x: 9, y: 9 } } },
  })
  expect(await listed(again)).toMatchObject([{ nodeId: 'ask', output: 'kept' }])
  const gone = await changed(again, { remove: { nodeId: 'ask' } })
  const other = await changed(gone, { put: { node: fields('ask', 'Another step') } })
  expect(await listed(other)).toEqual([])
  const late = await changed(await changed(other, { remove: { nodeId: 'ask' } }), ...back)
  expect(await listed(late)).toEqual([])
  // A later pin is not merged with the old one.
  await pin(late, 'ask', { output: 'new' })
  const round = await changed(await changed(late, ...removal), ...back)
  expect(await listed(round)).toMatchObject([{ nodeId: 'ask', output: 'new' }])
})

test('a pin is refused with its invalid field, and removed once', async () => {
  const draft = await draftOf()
  const errorOf = async (nodeId: string, body: object) =>
    propertyOf((await pin(draft, nodeId, body)).body, 'errors')
  expect(await errorOf('zz', { output: 1 })).toMatchObject([{ path: 'nodeId' }])
  expect(await errorOf('start', { output: 1 })).toMatchObject([{ path: 'nodeId' }])
  expect(await errorOf('ask', {})).toMatchObject([{ path: 'output' }])
  expect(await errorOf('ask', { output: 'x'.repeat(1_100_000) })).toMatchObject([{ path: 'output' }])
  const other = (await tested(await draftOf(), {})) as { runId: string }
  expect(await pin(draft, 'ask', { fromRunId: other.runId })).toMatchObject({
    status: 404,
    body: { error: 'run_not_found' },
  })
  await pin(draft, 'ask', { output: null })
  expect(await listed(draft)).toMatchObject([{ output: null }])
  const gone = `DELETE /workflows/${draft.workflowId}/pins/ask`
  expect([(await eva.send(gone)).status, (await eva.send(gone)).status]).toEqual([204, 204])
  expect(await listed(draft)).toEqual([])
})

test('the sample values of a trigger fill the snippets of its webhook, and no test uses them automatically', async () => {
  const fields = [
    { name: 'orderId', type: 'string', required: true },
    { name: 'amount', type: 'number' },
  ]
  const nodes = [
    node('hook', 'http-request', { fields }),
    node('keep', 'edit-fields', { rows: [{ name: 'id', value: '{{ trigger.body.orderId }}' }] }),
  ]
  const draft = { nodes, edges: [edge('hook', 'keep')] }
  const made = (await eva.send('POST /workflows', { name: 'Sampled', draft })).body as Draft
  const opened = async () =>
    String(
      propertyOf(
        propertyOf(
          (await eva.send(`POST /workflows/${made.workflowId}/listeners`, { kind: 'webhook' })).body,
          'snippets',
        ),
        'curl',
      ),
    )
  expect(await opened()).toContain(`BODY='{"orderId":"A-1001","amount":19.9}'`)
  const sample = { orderId: 'B-7', note: 'x'.repeat(70_000) }
  expect(await pin(made, 'hook', { output: sample })).toMatchObject({ status: 200, body: { output: sample } })
  // Not truncated: users edit these values.
  expect(await listed(made)).toMatchObject([{ nodeId: 'hook', output: sample }])
  expect(await opened()).toContain('"orderId":"B-7"')
  const published = { draftRevision: made.draftRevision }
  expect((await eva.send(`POST /workflows/${made.workflowId}/publish`, published)).status).toBe(200)
  const webhook = (await eva.send(`GET /workflows/${made.workflowId}/webhook`)).body
  expect(String(propertyOf(propertyOf(webhook, 'snippets'), 'curl'))).toContain('"orderId":"B-7"')
  const stored = await eva.send(`GET /workflows/${made.workflowId}`)
  expect(JSON.stringify(stored.body)).not.toContain('B-7')
  // A test brings its own payload.
  const body = {
    draftRevision: made.draftRevision,
    scope: { kind: 'all' },
    payload: { body: { orderId: 'C-9' }, orderId: 'C-9' },
    seeds: { usePins: true },
  }
  const started = await eva.send(`POST /workflows/${made.workflowId}/test-runs`, body)
  expect([started.status, started.body]).toEqual([202, expect.anything()])
  const path = `GET /runs/${propertyOf(started.body, 'executionId')}`
  const run = async () => (await eva.send(path)).body
  await expect.poll(async () => propertyOf(await run(), 'completedAt'), { timeout: 15_000 }).not.toBeNull()
  const values = await eva.send(`${path}/nodes/keep`)
  expect(propertyOf(values.body, 'output')).toEqual({ id: 'C-9' })
  expect((await eva.send(`DELETE /workflows/${made.workflowId}/pins/hook`)).status).toBe(204)
  expect(await opened()).toContain('"orderId":"A-1001"')
})

test('a sample is an object of values without passwords, of a trigger with fields', async () => {
  const form = {
    title: 'Write to us',
    fields: [
      { name: 'email', label: 'Email', type: 'email' },
      { name: 'word', label: 'Password', type: 'password' },
    ],
  }
  const nodes = [node('form', 'form-trigger', form), node('by-hand', 'manual-trigger'), fields('first', 'Hi')]
  const draft = { nodes, edges: [edge('form', 'first')] }
  const made = (await eva.send('POST /workflows', { name: 'Form', draft })).body as Draft
  const refused = async (nodeId: string, body: object, path: string) => {
    const { status, body: told } = await pin(made, nodeId, body)
    expect([status, told]).toEqual([400, expect.objectContaining({ error: 'validation_error' })])
    expect(JSON.stringify(told)).toContain(`"${path}"`)
  }
  await refused('form', { output: { email: 'a@b.c', word: 'secret' } }, 'output.word')
  await refused('form', { output: ['a'] }, 'output')
  await refused('form', { output: { email: 'a'.repeat(256 * 1024) } }, 'output')
  await refused('form', { output: {}, handles: ['out'] }, 'handles')
  await refused('form', { fromRunId: made.workflowId }, 'fromRunId')
  await refused('by-hand', { output: {} }, 'nodeId')
  expect(await listed(made)).toEqual([])
})

test('a pin from a run is not a sample of a trigger that takes its id, and shows no secret', async () => {
  const word = { name: 'word', label: 'Password', type: 'password' }
  const nodes = [
    node('form', 'form-trigger', { title: 'Join', fields: [word] }),
    node('keep', 'edit-fields', { rows: [{ name: 'word', value: '{{ trigger.body.word }}' }] }),
  ]
  const graph = { nodes, edges: [edge('form', 'keep')] }
  const made = (await eva.send('POST /workflows', { name: 'Reused id', draft: graph })).body as Draft
  const { workflowId, draftRevision } = made
  const payload = { body: { word: 'hunter2hunter2' } }
  const body = { draftRevision, scope: { kind: 'all' }, payload }
  const { executionId } = (await eva.send(`POST /workflows/${workflowId}/test-runs`, body)).body as {
    executionId: string
  }
  const ended = async () => propertyOf((await eva.send(`GET /runs/${executionId}`)).body, 'completedAt')
  await expect.poll(ended, { timeout: 15_000 }).not.toBeNull()
  expect(await pin(made, 'keep', { fromRunId: executionId })).toMatchObject({ status: 200 })
  const fields = [{ name: 'word', type: 'string' }]
  await changed(
    made,
    { remove: { edgeId: 'form-out-keep' } },
    { put: { node: node('keep', 'http-request', { fields }) } },
  )
  expect(await listed(made)).toEqual([])
  // An earlier version of the server left it in effect.
  const output = { word: 'hunter2hunter2' }
  await server.context.database.transaction(({ write }) =>
    write.pins.put({
      ...{
        organizationId: server.seed.organizationId,
        workflowId: checkedId(WorkflowId, workflowId),
        nodeId: 'keep',
      },
      ...{
        output,
        shown: { word: '***' },
        handles: null,
        inputHash: '',
        fromRunId: checkedId(WorkflowRunId, executionId),
        secretNames: [],
      },
    }),
  )
  expect(await listed(made)).toMatchObject([{ nodeId: 'keep', fromRunId: executionId }])
  expect(JSON.stringify(await listed(made))).not.toContain('hunter2')
  const listener = await eva.send(`POST /workflows/${workflowId}/listeners`, { kind: 'webhook' })
  expect(listener.status).toBe(201)
  expect(JSON.stringify(listener.body)).not.toContain('hunter2')
})

test('a sample leaves with its trigger that becomes another type, a pin with its step, and an undo restores both', async () => {
  const orders = { fields: [{ name: 'orderId', type: 'string' }] }
  const hook = node('hook', 'http-request', orders)
  const form = node('hook', 'form-trigger', {
    title: 'Order',
    fields: [{ name: 'orderId', label: 'Order', type: 'password' }],
  })
  const keep = node('keep', 'edit-fields', { rows: [{ name: 'id', value: 'x' }] })
  const graph = { nodes: [hook, keep], edges: [edge('hook', 'keep')] }
  const made = (await eva.send('POST /workflows', { name: 'Replaced', draft: graph })).body as Draft
  await pin(made, 'hook', { output: { orderId: 'B-7' } })
  await pin(made, 'keep', { output: { id: 'pinned' } })
  const [sample] = await listed(made)
  const pinned = { nodeId: 'keep', output: { id: 'pinned' } }
  // The form has a password field with the name of a field in the webhook's sample.
  const asForm = await changed(made, { put: { node: form } })
  expect(await listed(asForm)).toMatchObject([pinned])
  const asStep = await changed(asForm, { put: { node: node('hook', 'edit-fields', { rows: [] }) } })
  expect(await listed(asStep)).toMatchObject([pinned])
  const undone = await changed(await changed(asStep, { put: { node: form } }), { put: { node: hook } })
  expect(await listed(undone)).toMatchObject([sample, pinned])
  // Another type of step with an output keeps the pin.
  const asked = await changed(undone, { put: { node: { ...agent(), id: 'keep' } } })
  expect(await listed(asked)).toMatchObject([sample, pinned])
  const back = await changed(asked, { put: { node: keep } })
  const asHook = await changed(back, { put: { node: node('keep', 'http-request', orders) } })
  expect(await listed(asHook)).toEqual([sample])
  const restored = await changed(asHook, { put: { node: keep } })
  expect(await listed(restored)).toMatchObject([sample, pinned])
  // Another id and another type in one save.
  const call = { ...form, id: 'call' }
  const renamed = await changed(
    restored,
    { remove: { edgeId: 'hook-out-keep' } },
    { remove: { nodeId: 'hook' } },
    { put: { node: call, formerId: 'hook' } },
  )
  expect((await listed(renamed)).map(({ nodeId }) => nodeId)).toEqual(['keep'])
  const again = await changed(
    renamed,
    { remove: { nodeId: 'call' } },
    { put: { node: hook, formerId: 'call' } },
  )
  expect(await listed(again)).toMatchObject([sample, { nodeId: 'keep' }])
  // The same for a draft that is replaced.
  const replaced = async ({ draftRevision }: Draft, nodes: object[]) => {
    const body = { draftRevision, draft: { nodes, edges: [] } }
    const { status, body: told } = await eva.send(`PUT /workflows/${made.workflowId}`, body)
    expect(status).toBe(200)
    return { ...made, draftRevision: Number(propertyOf(told, 'draftRevision')) }
  }
  const whole = await replaced(again, [form, keep])
  expect((await listed(whole)).map(({ nodeId }) => nodeId)).toEqual(['keep'])
  expect(await listed(await replaced(whole, [hook, keep]))).toMatchObject([sample, { nodeId: 'keep' }])
})

test('a sample is restored after a change of type, the removal of the step and the undo of both', async () => {
  const hook = node('hook', 'http-request', { fields: [{ name: 'orderId', type: 'string' }] })
  const byHand = node('hook', 'manual-trigger')
  const graph = { nodes: [hook, fields('keep', 'x')], edges: [edge('hook', 'keep')] }
  const made = (await eva.send('POST /workflows', { name: 'Two undos', draft: graph })).body as Draft
  await pin(made, 'hook', { output: { orderId: 'B-7' } })
  const [sample] = await listed(made)
  const removal = [{ remove: { edgeId: 'hook-out-keep' } }, { remove: { nodeId: 'hook' } }]
  const back = [{ put: { node: byHand } }, { put: { edge: edge('hook', 'keep') } }]
  let draft = await changed(made, { put: { node: byHand } })
  // Undo, redo and undo again.
  for (let round = 0; round < 2; round++) {
    draft = await changed(draft, ...removal)
    draft = await changed(draft, ...back)
    expect(await listed(draft)).toEqual([])
  }
  draft = await changed(draft, { put: { node: hook } })
  expect(await listed(draft)).toEqual([sample])
  // The sample is removed when the step is replaced by another one.
  draft = await changed(draft, ...removal)
  draft = await changed(draft, ...back)
  draft = await changed(draft, { put: { node: hook } })
  expect(await listed(draft)).toEqual([])
})

test('values that one person stores in quick succession are one audit entry, and open pages are notified of each', async () => {
  const nodes = ['hook', 'other'].map((id) =>
    node(id, 'http-request', { fields: [{ name: 'v', type: 'string' }] }),
  )
  const made = (await eva.send('POST /workflows', { name: 'Typed', draft: { nodes, edges: [] } }))
    .body as Draft
  const { workflowId } = made
  const [ben, owner] = [await asMember(server, 'member', 'Ben'), await asMember(server, 'owner')]
  const told: (string | null)[] = []
  const watch = new ChangeWatch({
    database: server.context.database,
    onError: (error) => expect.fail(String(error)),
  })
  const stop = watch.add({
    caller: { organizationId: server.seed.organizationId, userId: null, role: 'owner' } as never,
    sessionId: null,
    topics: watchedTopics(`pins:${workflowId}`),
    send: ({ topic }) => void told.push(topic),
    close: () => expect.fail('closed'),
  })
  try {
    await expect.poll(() => told.length).toBe(1)
    for (const [index, v] of ['a', 'ab', 'abc'].entries()) {
      await pin(made, 'hook', { output: { v } })
      await expect.poll(() => told.length).toBe(index + 2)
    }
    await pin(made, 'other', { output: { v: 'x' } })
    await ben.send(`PUT /workflows/${workflowId}/pins/other`, { output: { v: 'y' } })
    await pin(made, 'other', { output: { v: 'z' } })
  } finally {
    stop()
  }
  const entries = propertyOf(
    (await owner.send(`GET /audit?entityKind=workflow&entityId=${workflowId}`)).body,
    'data',
  )
  expect(entries).toMatchObject([
    { action: 'workflow.sample_changed', actor: { name: 'Eva' }, after: { nodeId: 'other' } },
    { action: 'workflow.sample_changed', actor: { name: 'Ben' }, after: { nodeId: 'other' } },
    { action: 'workflow.sample_changed', actor: { name: 'Eva' }, after: { nodeId: 'other' } },
    { action: 'workflow.sample_changed', actor: { name: 'Eva' }, after: { nodeId: 'hook' } },
    { action: 'workflow.created' },
  ])
})
