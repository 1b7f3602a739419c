import { randomUUID } from 'node:crypto'
import { DeliveryId, newId } from '@troupe/contract'
import type { BuilderWorkflow } from '@troupe/contract/builder'
import { hookGraph, signedHeaders } from '@troupe/test-kit/seed-webhook'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { asMember, asOperator, type BuilderClient } from './builder-caller.ts'

let server: TestServer
let ana: Awaited<ReturnType<typeof asMember>>

beforeAll(async () => {
  server = await startTestServer()
  ana = await asMember(server, 'member', 'Ana')
})
afterAll(() => server[Symbol.asyncDispose]())

/** Calls the builder's API as Ana; `target`: `GET /workflows`. */
async function call<Body = Record<string, unknown>>(target: string, body?: object, as: BuilderClient = ana) {
  const answer = await as.send(target, body)
  return { status: answer.status, body: answer.body as Body }
}

const manual = (name = 'Start') => ({
  nodes: [{ id: 'start', type: 'manual-trigger', name, position: { x: 0, y: 0 }, config: {} }],
  edges: [],
})

async function create(draft: object = manual(), name = 'Orders'): Promise<BuilderWorkflow> {
  const { status, body } = await call<BuilderWorkflow>('POST /workflows', { name, draft })
  expect(status).toBe(201)
  return body
}

/** Publishes the draft unchanged. */
async function publish(workflowId: string, more: object = {}) {
  const { body } = await call<BuilderWorkflow>(`GET /workflows/${workflowId}`)
  const { draftRevision } = body
  return call(`POST /workflows/${workflowId}/publish`, { draftRevision, ...more })
}

describe('workflows', () => {
  test('a new workflow is in the list with its author and triggers, and counts its runs', async () => {
    const { workflowId } = await create(manual(), 'Counted')
    await publish(workflowId, { label: 'First', note: 'It begins.' })
    const run = await server.call(`POST /api/v1/workflows/${workflowId}/run`, { body: {} })
    expect(run.status).toBe(200)
    const { body } = await call<{ data: object[]; total: number }>('GET /workflows?q=count')
    expect(body.total).toBe(1)
    expect(body.data[0]).toMatchObject({
      workflowId,
      name: 'Counted',
      triggers: ['manual-trigger'],
      publishedNumber: 1,
      isDraftPublished: true,
      runs24h: { ok: 1, failed: 0 },
      lastRunAt: expect.any(Number),
      lastFailure: null,
      nextFireAt: null,
      updatedBy: { kind: 'user', id: ana.person.userId, name: 'Ana' },
    })
    expect(body.data[0]).not.toHaveProperty('draft')
  })

  test('the list is filtered by name, by the start of the id, and by no project', async () => {
    const { workflowId } = await create(manual(), '100% of_it')
    const of = async (query: string) =>
      (await call<{ data: BuilderWorkflow[] }>(`GET /workflows?${query}`)).body.data.map(
        (one) => one.workflowId,
      )
    expect(await of('q=100%25%20of_')).toEqual([workflowId])
    expect(await of('q=0%25of')).toEqual([])
    expect(await of(`q=${workflowId.slice(0, 34).toUpperCase()}`)).toEqual([workflowId])
    expect(await of('projectId=none&limit=100')).toContain(workflowId)
    expect(await of(`projectId=${server.seed.projectId}`)).toEqual([])
    expect((await call('GET /workflows?sort=size')).status).toBe(400)
  })

  test('a create with an id may be repeated; an id of another organization is taken', async () => {
    const id = randomUUID()
    const first = await call<BuilderWorkflow>('POST /workflows', { id, name: 'Once' })
    const again = await call<BuilderWorkflow>('POST /workflows', { id, name: 'Twice' })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual(first.body)
    const other = `POST /api/builder/v1/organizations/${server.seed.otherOrganizationId}/workflows`
    const headers = { authorization: `Bearer ${server.adminToken}` }
    const foreign = await server.call(other, { key: null, headers, body: { id, name: 'Stolen' } })
    expect([foreign.status, foreign.body]).toEqual([409, expect.objectContaining({ error: 'id_taken' })])
  })

  test('a stale draft is refused with its author; the operator may omit the revision', async () => {
    const { workflowId } = await create()
    const path = `PUT /workflows/${workflowId}`
    expect((await call(path, { draft: manual('Second'), draftRevision: 1 })).body).toMatchObject({
      draftRevision: 2,
    })
    const stale = await call(path, { draft: manual('Third'), draftRevision: 1 })
    expect(stale).toMatchObject({
      status: 409,
      body: {
        error: 'draft_conflict',
        current: { number: 2, changedBy: { kind: 'user', name: 'Ana' }, changedAt: expect.any(String) },
      },
    })
    expect((await call(path, { draft: manual('Third') })).status).toBe(400)
    const forced = await call(path, { draft: manual('Forced') }, asOperator(server))
    expect(forced).toMatchObject({ status: 200, body: { draftRevision: 3, updatedBy: { kind: 'operator' } } })
  })

  test('validate finds problems in the draft and in an unsaved graph', async () => {
    const { workflowId } = await create()
    const path = `POST /workflows/${workflowId}/validate`
    expect(await call(path)).toMatchObject({ status: 200, body: { findings: [] } })
    const { body } = await call<{ findings: object[] }>(path, { graph: { nodes: [], edges: [] } })
    expect(body.findings).toEqual([expect.objectContaining({ severity: 'block' })])
    expect(await call(`POST /workflows/${workflowId}/publish`, { draftRevision: 9 })).toMatchObject({
      status: 409,
      body: { error: 'draft_conflict' },
    })
  })

  test('is published by a member from the draft that was read, by the operator as stored', async () => {
    const { workflowId } = await create()
    const path = `POST /workflows/${workflowId}/publish`
    expect(await call(path)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'draftRevision', message: 'is required' }] },
    })
    expect((await call(path, undefined, asOperator(server))).status).toBe(200)
  })

  test('never shares an id with an agent', async () => {
    const { workflowId: id } = await create()
    const { organization: agentId } = server.seed.agents
    for (const [list, taken] of [
      ['agents', id],
      ['workflows', agentId],
    ] as const) {
      expect(await call(`POST /${list}`, { id: taken.toUpperCase(), name: 'Twice' })).toMatchObject({
        status: 409,
        body: { error: 'id_taken' },
      })
    }
    const config = {
      mode: 'parallel',
      lead: { managed: { instructions: 'Answer.' } },
      members: [{ agent: agentId }, { agent: server.seed.agents.project }],
    }
    expect((await call('POST /teams', { id, name: 'Twice', config })).body).toMatchObject({
      error: 'id_taken',
    })
  })

  test('a preview lists the changes of publishing the draft', async () => {
    const daily = (cron: string) => ({
      id: 'daily',
      type: 'recurrence',
      name: 'Daily',
      position: { x: 1, y: 0 },
      config: { mode: 'cron', cron },
    })
    const field = (required: boolean) => ({ fields: [{ name: 'orderId', type: 'string', required }] })
    const graph = (required: boolean, cron: string) => {
      const { nodes, edges } = hookGraph(field(required))
      return { nodes: [...nodes, daily(cron)], edges }
    }
    const { workflowId } = await create(graph(false, '0 6 * * *'))
    const path = `GET /workflows/${workflowId}/publish-preview`
    expect((await call(path)).body).toMatchObject({
      publishedGraph: null,
      difference: null,
      triggers: { webhookUrl: null, formUrl: null, formPassword: 'none', unchanged: false },
      contract: [],
    })
    await publish(workflowId)
    await call(`PUT /workflows/${workflowId}`, { draft: graph(true, '0 7 * * *'), draftRevision: 1 })
    const { body } = await call<{ schedules: { before: string[]; after: string[] }[] }>(path)
    expect(body).toMatchObject({
      draftRevision: 2,
      difference: {
        nodes: [
          { change: 'changed', nodeId: 'hook', fields: [{ path: 'config.fields.0.required', after: true }] },
          { change: 'changed', nodeId: 'daily', fields: [{ path: 'config.cron', before: '0 6 * * *' }] },
        ],
        edges: [],
        moved: [],
        expose: null,
      },
      triggers: { webhookUrl: expect.stringContaining('/trigger/'), unchanged: true },
      inFlight: [],
      contract: [{ field: 'orderId', change: 'required', required: true }],
      callers: [],
    })
    const [schedule] = body.schedules
    expect([schedule?.before[0]?.slice(11, 16), schedule?.after[0]?.slice(11, 16)]).toEqual([
      '06:00',
      '07:00',
    ])
  })

  test('a draft with only moved steps equals the published one', async () => {
    const { workflowId } = await create()
    const at = `/workflows/${workflowId}`
    await publish(workflowId)
    const { draft } = (await call<BuilderWorkflow>(`GET ${at}`)).body
    const steps = draft.nodes as object[]
    const isPublished = async (nodes: unknown[], draftRevision: number) => {
      await call(`PUT ${at}`, { draft: { ...draft, nodes }, draftRevision })
      return (await call<BuilderWorkflow>(`GET ${at}`)).body
    }
    const moved = steps.map((node, index) => ({ ...node, position: { x: index * 240 + 7.5, y: -80 } }))
    expect(await isPublished(moved, 1)).toMatchObject({ draftRevision: 2, isDraftPublished: true })
    const [first, ...others] = moved
    const renamed = [{ ...first, name: 'Another name' }, ...others]
    expect(await isPublished(renamed, 2)).toMatchObject({ draftRevision: 3, isDraftPublished: false })
  })

  test('versions are listed, described, shown and restored', async () => {
    const { workflowId } = await create()
    const at = `/workflows/${workflowId}`
    await publish(workflowId, { label: 'First' })
    await call(`PUT ${at}`, { draft: manual('Second'), draftRevision: 1 })
    expect((await call<BuilderWorkflow>(`GET ${at}`)).body).toMatchObject({ isDraftPublished: false })
    await publish(workflowId, { note: 'Renamed' })
    type Versions = { data: { versionId: string; number: number }[] }
    const { data } = (await call<Versions>(`GET ${at}/versions`)).body
    expect(data).toMatchObject([
      { number: 2, active: true, label: null, note: 'Renamed', createdBy: { kind: 'user', name: 'Ana' } },
      { number: 1, active: false, label: 'First', note: null },
    ])
    const [, first] = data
    const version = `${at}/versions/${first?.versionId}`
    expect((await call(`PUT ${version}`, { label: 'Début', note: null })).body).toMatchObject({
      label: 'Début',
    })
    expect((await call(`GET ${version}`)).body).toMatchObject({ label: 'Début', graph: manual() })
    expect((await call(`POST ${version}/restore`, { draftRevision: 2 })).body).toMatchObject({
      draft: manual(),
      draftRevision: 3,
    })
    expect((await call(`GET ${at}/versions/${randomUUID()}`)).body).toMatchObject({
      error: 'version_not_found',
    })
    // Published again without a change: no version, but the notes are stored.
    await publish(workflowId)
    await publish(workflowId, { label: 'Third' })
    expect((await call<Versions>(`GET ${at}/versions`)).body.data).toMatchObject([
      { number: 3, label: 'Third' },
      { number: 2 },
      { number: 1 },
    ])
  })

  test('a user runs the published version with a trigger and a payload', async () => {
    const { workflowId } = await create(hookGraph())
    const path = `POST /workflows/${workflowId}/runs`
    expect(await call(path)).toMatchObject({ status: 409, body: { error: 'workflow_not_published' } })
    await publish(workflowId)
    const { status, body } = await call<{ executionId: string }>(path, {
      triggerNodeId: 'hook',
      payload: { body: { n: 1 } },
    })
    expect(status).toBe(202)
    await vi.waitFor(async () => {
      const run = await server.call(`GET /api/v1/workflow-jobs/${body.executionId}/result`)
      expect(run.body).toMatchObject({ status: 'completed', output: { body: { n: 1 } } })
    })
    expect(await call(path, { triggerNodeId: 'start' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'triggerNodeId' }] },
    })
  })

  test('an unpublished workflow refuses callers; a deleted one is 404', async () => {
    const { workflowId } = await create()
    await publish(workflowId)
    expect((await call(`POST /workflows/${workflowId}/unpublish`)).body).toMatchObject({ deployment: null })
    const run = await server.call(`POST /api/v1/workflows/${workflowId}/run`, { body: {} })
    expect(run.body).toMatchObject({ error: 'workflow_not_published' })
    expect((await call(`DELETE /workflows/${workflowId}`)).status).toBe(204)
    expect((await call(`GET /workflows/${workflowId}`)).body).toMatchObject({ error: 'workflow_not_found' })
  })
})

describe('triggers', () => {
  test('a webhook shows no secret until it is revealed, which is audited, and its URL can be replaced', async () => {
    const { workflowId } = await create(hookGraph())
    const at = `/workflows/${workflowId}/webhook`
    expect((await call(`GET ${at}`)).body).toMatchObject({ error: 'workflow_not_published' })
    await publish(workflowId)
    type View = { url: string; hint: string; signingSecret: string }
    const shown = (await call<View>(`GET ${at}`)).body
    const revealed = (await call<View>(`POST ${at}/reveal`)).body
    expect(JSON.stringify(shown)).not.toContain(revealed.signingSecret)
    expect(revealed.signingSecret.endsWith(shown.hint)).toBe(true)
    const { body: rotated } = await call<View>(`POST ${at}/rotate-secret`)
    expect(rotated.signingSecret).not.toBe(revealed.signingSecret)

    const moved = (await call<View>(`POST ${at}/rotate-token`)).body
    expect(moved.url).not.toBe(shown.url)
    const deliver = async (url: string) =>
      (
        await server.call(`POST ${new URL(url).pathname}`, {
          key: null,
          headers: signedHeaders(rotated.signingSecret, '{"n":1}'),
          body: '{"n":1}',
        })
      ).status
    expect([await deliver(shown.url), await deliver(moved.url)]).toEqual([404, 202])

    await server.context.webhooks.recorder.flush()
    type Deliveries = { data: { deliveryId: string }[]; next: string | null }
    const { body: deliveries } = await call<Deliveries>(`GET /workflows/${workflowId}/deliveries`)
    expect(deliveries).toMatchObject({ data: [{ status: 202, bodyBytes: 7 }], next: null })
    const one = `/workflows/${workflowId}/deliveries/${deliveries.data[0]?.deliveryId}`
    expect((await call(`GET ${one}`)).body).toMatchObject({ payload: { n: 1 }, isComplete: true })
  })

  test('deliveries are paged and continue after the last one', async () => {
    const { workflowId } = await create(hookGraph())
    const { organizationId } = server.seed
    const deliveries = [1, 2, 3].map((n) => ({
      id: newId(DeliveryId),
      ...{ organizationId, workflowId: workflowId as never, receivedAt: new Date(n * 1000), status: 202 },
      ...{ reason: null, executionId: null, ip: null, headers: {}, body: '', bodyBytes: 0 },
    }))
    await server.context.database.webhookLog.append(deliveries)
    const [oldest, middle, newest] = deliveries.map(({ id }) => id)
    type Deliveries = { data: { deliveryId: string }[]; next: string | null }
    const page = async (after: string) => {
      const path = `GET /workflows/${workflowId}/deliveries?limit=2${after}`
      const { data, next } = (await call<Deliveries>(path)).body
      return [data.map(({ deliveryId }) => deliveryId), next]
    }
    expect(await page('')).toEqual([[newest, middle], middle])
    expect(await page(`&after=${middle}`)).toEqual([[oldest], null])
    expect(await page(`&after=${randomUUID()}`)).toEqual([[], null])
    expect(await page('&after=elsewhere')).toEqual([[], null])
  })

  test('a form has a URL from its first publish on, which can be replaced', async () => {
    const { workflowId } = await create({
      nodes: [
        {
          id: 'form',
          type: 'form-trigger',
          name: 'Form',
          position: { x: 0, y: 0 },
          config: {
            title: 'Say "hi" & <go>',
            fields: [{ name: 'name', label: 'Name', type: 'text' }],
            embedOrigins: ['https://shop.test'],
          },
        },
      ],
      edges: [],
    })
    const at = `/workflows/${workflowId}/form`
    expect((await call(`GET ${at}`)).body).toEqual({ url: null, published: false, auth: null, embed: null })
    expect((await call(`POST ${at}/rotate-token`)).body).toMatchObject({ error: 'workflow_not_published' })
    await publish(workflowId)
    const { body: form } = await call<{ url: string }>(`GET ${at}`)
    expect(form).toMatchObject({
      published: true,
      auth: { mode: 'none', username: null },
      embed: {
        origins: ['https://shop.test'],
        html: expect.stringContaining('Say &quot;hi&quot; &amp; &lt;go>'),
      },
    })
    const { body: moved } = await call<{ url: string }>(`POST ${at}/rotate-token`)
    const opened = async (url: string) =>
      (await server.app.inject({ method: 'GET', url: new URL(url).pathname })).statusCode
    expect([await opened(form.url), await opened(moved.url)]).toEqual([404, 200])
    expect((await call<BuilderWorkflow>(`GET /workflows/${workflowId}`)).body.form).toEqual({
      url: moved.url,
      published: true,
    })
  })

  test('the password of a published form is changed without a publish, and the old one is refused', async () => {
    const form = (mode: 'none' | 'basic') => ({
      nodes: [
        {
          id: 'form',
          type: 'form-trigger',
          name: 'Form',
          position: { x: 0, y: 0 },
          config: {
            title: 'Apply',
            fields: [{ name: 'name', label: 'Name', type: 'text' }],
            auth: mode === 'none' ? { mode } : { mode, username: 'press' },
          },
        },
      ],
      edges: [],
    })
    const { workflowId } = await create(form('basic'))
    const at = `/workflows/${workflowId}/form`
    const put = (password: string) => call(`PUT ${at}/password`, { password })
    expect(await put('second-secret')).toMatchObject({
      status: 409,
      body: { error: 'workflow_not_published' },
    })
    await publish(workflowId, { formPassword: 'first-secret' })
    const { url } = (await call<{ url: string }>(`GET ${at}`)).body
    const submit = async (password: string) => {
      const authorization = `Basic ${Buffer.from(`press:${password}`).toString('base64')}`
      const path = `/api/v1/forms/${url.split('/').at(-1)}`
      return (await server.app.inject({ method: 'GET', url: path, headers: { authorization } })).statusCode
    }
    expect([await submit('first-secret'), await submit('second-secret')]).toEqual([200, 401])
    expect(await put('second-secret')).toMatchObject({
      status: 200,
      body: { auth: { mode: 'basic', username: 'press' } },
    })
    expect([await submit('first-secret'), await submit('second-secret')]).toEqual([401, 200])
    const { body: log } = await call<{ data: { action: string }[] }>(
      'GET /audit?limit=1',
      undefined,
      await asMember(server, 'admin', 'Auditor'),
    )
    expect(log.data[0]).toMatchObject({
      action: 'workflow.form_password_changed',
      entity: { id: workflowId },
    })
    expect(JSON.stringify(log)).not.toContain('second-secret')

    const tooLong = await put('é'.repeat(37))
    expect(tooLong).toMatchObject({ status: 400, body: { errors: [{ path: 'password' }] } })
    const open = await create(form('none'))
    await publish(open.workflowId)
    expect(await call(`PUT /workflows/${open.workflowId}/form/password`, { password: 'x' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'password', message: expect.stringContaining('requires no password') }] },
    })
  })

  test('schedules are listed with their next fires, and the list of workflows has the next one', async () => {
    const { workflowId } = await create(
      {
        nodes: [
          {
            id: 'daily',
            type: 'recurrence',
            name: 'Daily',
            position: { x: 0, y: 0 },
            config: { mode: 'cron', cron: '0 6 * * *' },
          },
        ],
        edges: [],
      },
      'Scheduled',
    )
    await publish(workflowId)
    const { body } = await call<{ schedules: { nextFires: string[] }[] }>(
      `GET /workflows/${workflowId}/schedules`,
    )
    const [schedule] = body.schedules
    expect(schedule?.nextFires).toHaveLength(5)
    const { body: list } = await call<{ data: BuilderWorkflow[] }>('GET /workflows?q=Scheduled')
    expect(list.data[0]?.nextFireAt).toBe(schedule?.nextFires[0])
  })
})
