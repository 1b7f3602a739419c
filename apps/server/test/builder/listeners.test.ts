import { systemClock } from '@troupe/agents/ports'
import { checkedId, propertyOf, WorkflowId } from '@troupe/contract'
import type { CallVerdict } from '@troupe/contract/builder'
import { ChangeWatch } from '@troupe/operations/events/change-watch'
import { watchedTopics } from '@troupe/operations/events/topics'
import { sweepUploads } from '@troupe/operations/forms/sweep-uploads'
import { signedHeaders } from '@troupe/test-kit/seed-webhook'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { upload } from '../forms/form-setting.ts'
import { asMember } from './builder-caller.ts'
import {
  calls,
  callTest,
  listen,
  listenedDraft,
  listeners,
  newWorkflow,
  pathOf,
  publish,
  traces,
  wholeCall,
} from './listener-setting.ts'

const MINUTE = 60_000
/** The machine's time, plus an offset set by the test. */
const clock = { ...systemClock, now: () => Date.now() + clock.ahead, ahead: 0 }
let server: TestServer
let eva: Awaited<ReturnType<typeof asMember>>
beforeAll(async () => {
  server = await startTestServer({ overrides: { clock } })
  eva = await asMember(server, 'member', 'Eva')
})
afterAll(() => server[Symbol.asyncDispose]())

/** Runs `work` with the server's clock this many milliseconds ahead. */
async function later<T>(ms: number, work: () => Promise<T>): Promise<T> {
  clock.ahead += ms
  try {
    return await work()
  } finally {
    clock.ahead -= ms
  }
}

const NOBODY = { 'x-service-signature': '0'.repeat(64) }

describe('a listener of a webhook', () => {
  test('accepts signed calls of a draft that was never published, with a separate secret', async () => {
    const { workflowId } = await newWorkflow(eva)
    const listener = await listen(eva, workflowId, 'webhook')
    expect(listener).toMatchObject({
      hasOwnSecret: true,
      startedBy: 'Eva',
      secret: expect.stringMatching(/^whs_/),
    })
    expect(Date.parse(listener.expiresAt) - Date.parse(listener.createdAt)).toBe(10 * MINUTE)
    expect(listener.snippets?.curl).toContain(listener.secret)
    expect(listener.snippets?.curl).toContain('"orderId":"A-1001"')
    const answer = await callTest(server, listener)
    expect(answer).toEqual({ status: 202, body: { executionId: expect.stringMatching(/^[0-9a-f-]{36}$/) } })
    expect(await wholeCall(eva, workflowId)).toMatchObject({
      callId: answer.body.executionId,
      ...{ verdict: 'accepted', status: 202, reason: null, isComplete: true },
      ...{ body: '{"orderId":"A-1"}', payload: { orderId: 'A-1' } },
      headers: { 'x-service-signature': '[hidden]', 'x-service-timestamp': expect.any(String) },
    })
    // No run has this id.
    expect((await server.call(`GET /api/v1/workflow-jobs/${answer.body.executionId}/result`)).status).toBe(
      404,
    )
  })

  test('shows its secret to users who open it or request it, and in no list', async () => {
    const { workflowId } = await newWorkflow(eva)
    const listener = await listen(eva, workflowId, 'webhook')
    const listed = await listeners(eva, workflowId)
    expect(JSON.stringify(listed)).not.toContain(listener.secret)
    expect(listed[0]?.snippets?.curl).toContain('whs_YOUR_SIGNING_SECRET')
    const path = `/workflows/${workflowId}/listeners/${listener.listenerId}`
    expect((await eva.send(`POST ${path}/reveal`)).body).toEqual(listener)
    const revealed = async () =>
      JSON.stringify((await (await asMember(server, 'owner')).send('GET /audit')).body).split(
        'workflow.signing_secret_revealed',
      ).length
    const before = await revealed()
    // The workflow's own secret is used from its first publish on, and the audit log records who has seen it.
    await publish(eva, workflowId)
    const shown = (await eva.send(`POST ${path}/reveal`)).body as typeof listener
    expect([shown.hasOwnSecret, shown.secret === listener.secret]).toEqual([false, false])
    expect(await revealed()).toBe(before + 1)
    const webhook = (await eva.send(`POST /workflows/${workflowId}/webhook/reveal`)).body
    expect(shown.secret).toBe(propertyOf(webhook, 'signingSecret'))
    expect((await callTest(server, shown)).status).toBe(202)
    expect((await callTest(server, listener)).status).toBe(401)
    expect(await calls(eva, workflowId)).toMatchObject([
      { verdict: 'wrong_secret', reason: expect.stringContaining('before the workflow was published') },
      { verdict: 'accepted' },
    ])
    expect((await listen(eva, workflowId, 'webhook')).secret).toBe(null)
  })

  const stale = () => Math.floor(clock.now() / 1000) - 301
  test.for<[CallVerdict, string, (secret: string) => [string, Record<string, string | undefined>]]>([
    ['missing_header', 'X-Service-Signature is missing', () => ['{}', { 'x-service-signature': undefined }]],
    ['missing_header', 'X-Service-Timestamp is missing', () => ['{}', { 'x-service-timestamp': undefined }]],
    ['malformed_header', 'not 64 lowercase hex', () => ['{}', { 'x-service-signature': 'sha256=1' }]],
    // A second may pass before the server reads its clock.
    ['wrong_time', '30[1-9] s behind', (secret) => ['{}', signedHeaders(secret, '{}', stale())]],
    ['wrong_signature', 'does not match', () => ['{}', NOBODY]],
    [
      'wrong_key',
      'The API key is not valid',
      () => ['{}', { 'x-service-signature': undefined, 'x-api-key': `trp_${'0'.repeat(48)}x` }],
    ],
    ['wrong_secret', 'line break after the secret', (secret) => ['{}', signedHeaders(`${secret}\n`, '{}')]],
    ['wrong_secret', 'without "whs_"', (secret) => ['{}', signedHeaders(secret.slice(4), '{}')]],
    ['body_changed', 'line break at its end', (secret) => ['{"a":1}', signedHeaders(secret, '{"a":1}\n')]],
    ['body_changed', 'without spaces', (secret) => ['{"a": [1]}', signedHeaders(secret, '{"a":[1]}')]],
    [
      'body_changed',
      'as Python writes JSON',
      (secret) => ['{"a":1,"b":"x,y"}', signedHeaders(secret, '{"a": 1, "b": "x,y"}')],
    ],
  ])('names %s only in the editor: %s', async ([verdict, words, sent]) => {
    const { workflowId } = await newWorkflow(eva)
    const listener = await listen(eva, workflowId, 'webhook')
    const [body, headers] = sent(listener.secret ?? '')
    const refused = await callTest(server, listener, body, headers)
    expect(refused).toEqual({
      status: 401,
      body: { error: 'unauthorized', message: 'The request could not be authenticated.' },
    })
    expect(await calls(eva, workflowId)).toMatchObject([
      { verdict, status: 401, reason: expect.stringMatching(words) },
    ])
  })

  test('accepts a key that may see the workflow, as the webhook does', async () => {
    const { workflowId } = await newWorkflow(eva)
    const listener = await listen(eva, workflowId, 'webhook')
    const byKey = { 'x-service-signature': undefined, 'x-api-key': server.seed.keys.organization }
    expect((await callTest(server, listener, '{}', byKey)).status).toBe(202)
    const kept = await wholeCall(eva, workflowId)
    expect(kept).toMatchObject({ verdict: 'accepted', headers: { 'x-api-key': '[hidden]' } })
    expect(JSON.stringify(kept)).not.toContain(server.seed.keys.organization)
  })

  test('keeps 1 MB, reports longer bodies, and answers bodies that are not JSON like the webhook', async () => {
    const { workflowId } = await newWorkflow(eva)
    const listener = await listen(eva, workflowId, 'webhook')
    const full = JSON.stringify({ a: 'x'.repeat(1024 * 1024 - 8) })
    expect((await callTest(server, listener, full)).status).toBe(202)
    expect(await wholeCall(eva, workflowId)).toMatchObject({
      isComplete: true,
      bodyBytes: 1024 * 1024,
      body: full,
    })
    const long = await callTest(server, listener, `${full} `)
    expect(long).toMatchObject({ status: 413, body: { error: 'payload_too_large' } })
    expect((await callTest(server, listener, '{')).status).toBe(400)
    // Less is stored of an unauthenticated call.
    expect((await callTest(server, listener, full, NOBODY)).status).toBe(401)
    const kept = await calls(eva, workflowId)
    expect(kept.map(({ verdict, status }) => [verdict, status])).toEqual([
      ['wrong_signature', 401],
      ['unreadable', 400],
      ['too_large', 413],
      ['accepted', 202],
    ])
    const cut = await wholeCall(eva, workflowId)
    expect([cut.isComplete, cut.body.length, cut.payload]).toEqual([false, 64 * 1024, null])
  })

  test('changes no run, no delivery and no deduplication key of its workflow', async () => {
    const { workflowId } = await newWorkflow(eva)
    await publish(eva, workflowId)
    const { listenerId } = await listen(eva, workflowId, 'webhook')
    const reveal = `POST /workflows/${workflowId}/listeners/${listenerId}/reveal`
    const listener = (await eva.send(reveal)).body as Awaited<ReturnType<typeof listen>>
    const key = { 'idempotency-key': 'the-same' }
    for (let at = 0; at < 2; at += 1) {
      expect((await callTest(server, listener, undefined, key)).status).toBe(202)
    }
    expect((await callTest(server, listener, '{}', NOBODY)).status).toBe(401)
    expect(await traces(server, eva, workflowId)).toEqual({ runs: 0, deliveries: 0 })
    const webhook = (await eva.send(`POST /workflows/${workflowId}/webhook/reveal`)).body
    const real = {
      url: String(propertyOf(webhook, 'url')),
      secret: String(propertyOf(webhook, 'signingSecret')),
    }
    const first = await callTest(server, real, undefined, key)
    expect(first.status).toBe(202)
    expect(await traces(server, eva, workflowId)).toEqual({ runs: 1, deliveries: 1 })
    expect((await callTest(server, real, undefined, key)).body).toEqual(first.body)
    expect(await traces(server, eva, workflowId)).toMatchObject({ runs: 1 })
  })

  test('counts calls against the limit of the organization', async () => {
    await using limited = await startTestServer({ organizationRpm: 1 })
    const member = await asMember(limited, 'member')
    const { workflowId } = await newWorkflow(member)
    const listener = await listen(member, workflowId, 'webhook')
    expect((await callTest(limited, listener)).status).toBe(202)
    expect((await callTest(limited, listener)).status).toBe(429)
    expect(await calls(member, workflowId)).toMatchObject([{ verdict: 'limited' }, { verdict: 'accepted' }])
  })
})

describe('the life of a listener', () => {
  test('ends after ten minutes, for callers and in the editor, and can be extended until then', async () => {
    const { workflowId } = await newWorkflow(eva)
    const listener = await listen(eva, workflowId, 'webhook')
    await callTest(server, listener)
    const again = await later(5 * MINUTE, () => listen(eva, workflowId, 'webhook'))
    expect([again.url, again.secret, again.callCount]).toEqual([listener.url, listener.secret, 1])
    expect(Date.parse(again.expiresAt) - Date.parse(listener.expiresAt)).toBeGreaterThanOrEqual(5 * MINUTE)
    const signed = () => signedHeaders(listener.secret ?? '', '{}', Math.floor(clock.now() / 1000))
    await later(14 * MINUTE, async () =>
      expect((await callTest(server, listener, '{}', signed())).status).toBe(202),
    )
    await later(15 * MINUTE + 1_000, async () => {
      const gone = await callTest(server, listener, '{}', signed())
      expect(gone).toMatchObject({ status: 404, body: { error: 'workflow_not_found' } })
      expect(await listeners(eva, workflowId)).toEqual([])
      const next = await listen(eva, workflowId, 'webhook')
      expect([next.url === listener.url, next.callCount]).toEqual([false, 0])
    })
  })

  test('treats a call during which it expires or is stopped as unknown, and keeps nothing of it', async () => {
    const { workflowId } = await newWorkflow(eva)
    const listener = await listen(eva, workflowId, 'webhook')
    const { read } = server.context.database
    const found = read.listeners.byToken
    const during = async (work: () => Promise<unknown>) => {
      // The race: `work` runs after the lookup of the listener, and before its call is stored.
      read.listeners.byToken = async (...given) => {
        const one = await found(...given)
        await work()
        return one
      }
      try {
        return await callTest(server, listener)
      } finally {
        read.listeners.byToken = found
      }
    }
    const expire = async () => {
      clock.ahead += 10 * MINUTE
    }
    const late = await during(expire)
    clock.ahead = 0
    expect(late.status).toBe(404)
    expect(await calls(eva, workflowId)).toEqual([])
    const path = `/workflows/${workflowId}/listeners/${listener.listenerId}`
    const stopped = await during(async () => expect((await eva.send(`DELETE ${path}`)).status).toBe(204))
    expect(stopped).toMatchObject({ status: 404, body: late.body })
    expect(await listeners(eva, workflowId)).toEqual([])
    expect((await eva.send(`DELETE ${path}`)).status).toBe(204)
    // Treated like an unknown token.
    const unknown = await callTest(server, { ...listener, url: listener.url.replace(/.$/, '-') })
    expect(unknown).toEqual(stopped)
  })

  test('is not opened for a workflow that is deleted at the same time', async () => {
    const { workflowId } = await newWorkflow(eva)
    const { read } = server.context.database
    const found = read.workflows.byId
    // The workflow is found, and deleted before the listener is written.
    read.workflows.byId = async (...given) => {
      const one = await found(...given)
      read.workflows.byId = found
      expect((await eva.send(`DELETE /workflows/${workflowId}`)).status).toBe(204)
      return one
    }
    const answer = await eva.send(`POST /workflows/${workflowId}/listeners`, { kind: 'webhook' })
    expect(answer).toMatchObject({ status: 404, body: { error: 'workflow_not_found' } })
    const { organizationId } = server.seed
    expect(
      await read.listeners.list(organizationId, checkedId(WorkflowId, workflowId), new Date(clock.now())),
    ).toEqual([])
  })

  test('is shared by two people who begin it concurrently, and two concurrent calls are kept as two', async () => {
    const { workflowId } = await newWorkflow(eva)
    const [one, two] = await Promise.all([
      listen(eva, workflowId, 'webhook'),
      listen(await asMember(server, 'admin', 'Ada'), workflowId, 'webhook'),
    ])
    expect([one.listenerId, one.url, one.secret]).toEqual([two.listenerId, two.url, two.secret])
    const bodies = Array.from({ length: 8 }, (_, at) => `{"at":${at}}`)
    const answers = await Promise.all(bodies.map((body) => callTest(server, one, body)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(202))
    const [listener] = await listeners(eva, workflowId)
    expect([listener?.callCount, listener?.calls.length]).toEqual([8, 8])
  })

  test('keeps the newest twenty of each kind, so that refused calls push out no accepted one', async () => {
    const { workflowId } = await newWorkflow(eva)
    const listener = await listen(eva, workflowId, 'webhook')
    expect((await callTest(server, listener)).status).toBe(202)
    for (let at = 0; at < 22; at += 1)
      await callTest(server, listener, '{}', { 'x-service-timestamp': undefined })
    const [after] = await listeners(eva, workflowId)
    expect(after?.callCount).toBeGreaterThan(20)
    const verdicts = after?.calls.map(({ verdict }) => verdict)
    expect(verdicts?.filter((one) => one === 'accepted')).toHaveLength(1)
    expect(verdicts?.filter((one) => one === 'missing_header').length).toBeLessThanOrEqual(20)
  })

  test('is reported to pages by its topic, which changes with each call', async () => {
    const { workflowId } = await newWorkflow(eva)
    const listener = await listen(eva, workflowId, 'webhook')
    const { database } = server.context
    const watch = new ChangeWatch({ database, onError: (error) => expect.fail(String(error)) })
    const told: (string | null)[] = []
    const remove = watch.add({
      caller: { organizationId: server.seed.organizationId, userId: null, role: 'owner' } as never,
      sessionId: null,
      topics: watchedTopics(`listeners:${workflowId}`),
      send: ({ topic }) => void told.push(topic),
      close: () => expect.fail('closed'),
    })
    await expect.poll(() => told).toEqual([null])
    await callTest(server, listener)
    await expect.poll(() => told).toEqual([null, `listeners:${workflowId}`])
    remove()
  })

  test('is invisible to other organizations, and to members who may not test the draft', async () => {
    const { workflowId } = await newWorkflow(eva)
    const listener = await listen(eva, workflowId, 'webhook')
    await callTest(server, listener)
    const [{ callId } = { callId: '' }] = await calls(eva, workflowId)
    const one = `/workflows/${workflowId}/listeners/${listener.listenerId}`
    const targets: [string, object?][] = [
      [`GET /workflows/${workflowId}/listeners`],
      [`POST /workflows/${workflowId}/listeners`, { kind: 'form' }],
      [`POST ${one}/reveal`],
      [`GET ${one}/calls/${callId}`],
      [`DELETE ${one}`],
    ]
    const viewer = await asMember(server, 'viewer')
    const stranger = await asMember(server, 'owner', 'Stranger', server.seed.otherOrganizationId)
    for (const [target, body] of targets) {
      expect([target, (await viewer.send(target, body)).status]).toEqual([target, 403])
      expect([target, (await stranger.send(target, body)).status]).toEqual([target, 404])
    }
    // It is not found under another workflow, or with a session of another organization.
    const other = (await newWorkflow(eva)).workflowId
    const elsewhere = one.replace(workflowId, other)
    for (const target of [`POST ${elsewhere}/reveal`, `GET ${elsewhere}/calls/${callId}`]) {
      expect(await eva.send(target)).toMatchObject({ status: 404, body: { error: 'listener_not_found' } })
    }
    await eva.send(`DELETE ${elsewhere}`)
    const byKey = { 'x-service-signature': undefined, 'x-api-key': server.seed.keys.otherOrganization }
    expect((await callTest(server, listener, '{}', byKey)).status).toBe(401)
    expect(await calls(eva, workflowId)).toMatchObject([
      { verdict: 'wrong_key', reason: expect.stringContaining('may not see this workflow') },
      { verdict: 'accepted' },
    ])
  })

  test('is deleted with its workflow, and an organization has at most forty open', async () => {
    const owner = await asMember(server, 'owner', 'Olga', server.seed.otherOrganizationId)
    const made = await Promise.all(Array.from({ length: 21 }, () => newWorkflow(owner)))
    const kinds = ['webhook', 'form'] as const
    const all = made.flatMap(({ workflowId }) => kinds.map((kind) => ({ workflowId, kind })))
    const answers = await Promise.all(
      all.map(({ workflowId, kind }) => owner.send(`POST /workflows/${workflowId}/listeners`, { kind })),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(40)
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
    const begun = answers.find(({ body }) => propertyOf(body, 'kind') === 'webhook')?.body
    const listener = begun as Awaited<ReturnType<typeof listen>>
    const at = answers.findIndex(({ body }) => body === begun)
    const { workflowId } = all[at] ?? { workflowId: '' }
    expect((await owner.send(`DELETE /workflows/${workflowId}`)).status).toBe(204)
    expect((await callTest(server, listener)).status).toBe(404)
    // Its slot is free immediately, not only after its expiry.
    const refused = all.find((one, index) => statuses[index] === 429 && one.workflowId !== workflowId)
    const retried = await owner.send(`POST /workflows/${refused?.workflowId}/listeners`, {
      kind: refused?.kind,
    })
    expect(retried.status).toBe(201)
    await later(11 * MINUTE, () => server.context.database.duties.listeners.sweep(new Date(clock.now())))
    const living = made.filter((one) => one.workflowId !== workflowId)
    const left = await Promise.all(living.map((one) => listeners(owner, one.workflowId)))
    expect(left.flat()).toEqual([])
  })

  test('shows its calls for an hour after it has expired, or until the next one starts', async () => {
    const { workflowId } = await newWorkflow(eva)
    const listener = await listen(eva, workflowId, 'webhook')
    expect((await callTest(server, listener)).status).toBe(202)
    const [call] = await calls(eva, workflowId)
    const read = async () =>
      (await eva.send(`GET /workflows/${workflowId}/listeners/${listener.listenerId}/calls/${call?.callId}`))
        .status
    const sweep = () => server.context.database.duties.listeners.sweep(new Date(clock.now() - 60 * MINUTE))
    await later(11 * MINUTE, async () => {
      expect(await listeners(eva, workflowId)).toEqual([])
      await sweep()
      expect(await read()).toBe(200)
    })
    await later(71 * MINUTE, async () => expect(await read()).toBe(404))
    await later(12 * MINUTE, async () => {
      await listen(eva, workflowId, 'webhook')
      expect(await read()).toBe(404)
    })
  })

  test.each([
    { kind: 'sms' },
    {},
    { kind: 'form', more: 1 },
  ])('refuses to begin with %j, or ignores unknown fields', async (body) => {
    const { workflowId } = await newWorkflow(eva)
    const { status } = await eva.send(`POST /workflows/${workflowId}/listeners`, body)
    expect(status).toBe('more' in body ? 201 : 400)
  })
})

describe('a listener of a form', () => {
  const page = (
    listener: { url: string },
    values: Record<string, string> | [string, string][],
    headers: Record<string, string> = {},
  ) =>
    server.app.inject({
      method: 'POST',
      url: pathOf(listener),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(values).toString(),
    })
  const open = (listener: { url: string }, headers = {}) =>
    server.app.inject({ method: 'GET', url: pathOf(listener), headers })

  test('shows the form as the draft has it now, and hands its answers to the editor', async () => {
    const { workflowId, draftRevision } = await newWorkflow(eva)
    const listener = await listen(eva, workflowId, 'form')
    expect(listener).toMatchObject({ snippets: null, secret: null, username: null, fault: null })
    expect((await open(listener)).body).toContain('Test form')
    const [, form] = listenedDraft().nodes
    const config = { ...(form as { config: object }).config, title: 'Write to us' }
    const changes = [{ put: { node: { ...form, config } } }]
    expect((await eva.send(`POST /workflows/${workflowId}/draft`, { draftRevision, changes })).status).toBe(
      200,
    )
    expect((await open(listener)).body).toContain('Write to us')
    const refused = await page(listener, { name: '' })
    expect([refused.statusCode, refused.body]).toEqual([
      400,
      expect.stringContaining('Please check your answers'),
    ])
    const file = await upload(server, pathOf(listener), 'cv.txt', 'I can weld.')
    expect(file.status).toBe(201)
    const sent = await page(listener, { name: 'Ana', code: 'sesame', cv: String(file.body.fileId) })
    expect([sent.statusCode, sent.headers.location]).toEqual([303, `${pathOf(listener)}?form.done=1`])
    expect(await wholeCall(eva, workflowId)).toMatchObject({
      ...{ verdict: 'accepted', status: 303, reason: null },
      payload: {
        name: 'Ana',
        code: expect.not.stringContaining('sesame'),
        cv: { filename: 'cv.txt', contentType: 'text/plain', text: 'I can weld.' },
      },
    })
    expect((await calls(eva, workflowId))[1]).toMatchObject({
      ...{ verdict: 'refused_answers', status: 400, reason: expect.stringContaining('"name" ') },
    })
    // An uploaded file can be used once.
    expect((await page(listener, { name: 'Ana', cv: String(file.body.fileId) })).statusCode).toBe(400)
    expect(await traces(server, eva, workflowId)).toEqual({ runs: 0, deliveries: 0 })
  })

  test('asks for its own password until the published form has one of the same user name', async () => {
    const auth = { mode: 'basic', username: 'guest' }
    const { workflowId } = await newWorkflow(eva, listenedDraft({ auth }))
    const listener = await listen(eva, workflowId, 'form')
    expect(listener).toMatchObject({ hasOwnSecret: true, username: 'guest', secret: expect.any(String) })
    expect((await open(listener)).statusCode).toBe(401)
    const as = (password: string) => ({
      authorization: `Basic ${Buffer.from(`guest:${password}`).toString('base64')}`,
    })
    expect((await open(listener, as('wrong'))).statusCode).toBe(401)
    const signIn = (username: string, password: string) =>
      page(
        listener,
        { 'form.action': 'sign-in', 'form.username': username, 'form.password': password },
        { origin: new URL(listener.url).origin },
      )
    expect((await signIn('guest', 'wrong-one')).statusCode).toBe(401)
    expect((await signIn('other', 'wrong-two')).statusCode).toBe(401)
    const refused = { verdict: 'wrong_password', status: 401, bodyBytes: 0 }
    expect(await calls(eva, workflowId)).toMatchObject([
      { ...refused, reason: 'The user name does not match the form.' },
      { ...refused, reason: 'The password is wrong.' },
      { ...refused, reason: 'The user name or the password in the header is wrong.' },
    ])
    expect(JSON.stringify(await wholeCall(eva, workflowId, 1))).not.toContain('wrong-one')
    expect((await open(listener, as(listener.secret ?? ''))).statusCode).toBe(200)
    expect((await page(listener, { name: 'Ana' })).statusCode).toBe(401)
    expect((await upload(server, pathOf(listener), 'cv.txt', 'a')).status).toBe(401)
    await publish(eva, workflowId, 'of the published form')
    expect((await open(listener, as(listener.secret ?? ''))).statusCode).toBe(401)
    expect((await open(listener, as('of the published form'))).statusCode).toBe(200)
    expect((await listeners(eva, workflowId))[0]).toMatchObject({ hasOwnSecret: false, username: 'guest' })
  })

  test('is for members if the form of the draft is, and reports a draft without a form', async () => {
    const members = await newWorkflow(eva, listenedDraft({ auth: { mode: 'service-login' } }))
    const listener = await listen(eva, members.workflowId, 'form')
    expect((await open(listener)).statusCode).toBe(401)
    expect((await open(listener, { cookie: eva.cookie })).statusCode).toBe(200)
    const { nodes } = listenedDraft()
    const none = await newWorkflow(eva, { nodes: nodes.slice(0, 1), edges: [] })
    const idle = await listen(eva, none.workflowId, 'form')
    expect(idle.fault).toContain('has no form')
    expect((await open(idle)).statusCode).toBe(404)
  })

  test('keeps its files from the published form, and they expire with it', async () => {
    const { workflowId } = await newWorkflow(eva)
    await publish(eva, workflowId)
    const listener = await listen(eva, workflowId, 'form')
    const form = (await eva.send(`GET /workflows/${workflowId}/form`)).body
    const published = { url: String(propertyOf(form, 'url')) }
    const file = await upload(server, pathOf(listener), 'cv.txt', 'a')
    const others = await upload(server, `/api/v1${pathOf(published)}`, 'cv.txt', 'b')
    expect((await page(published, { name: 'Ana', cv: String(file.body.fileId) })).statusCode).toBe(400)
    expect((await page(listener, { name: 'Ana', cv: String(others.body.fileId) })).statusCode).toBe(400)
    const { formUploads } = server.context.database
    const expired = async () =>
      (
        await formUploads.expired(
          { unused: 0, used: 0, ofEnded: clock.now() - 30 * MINUTE, now: clock.now() },
          100,
        )
      ).map(({ id }) => id)
    expect(await expired()).not.toContain(file.body.fileId)
    // The run ends when the listener expires after ten minutes, without the 20 minutes granted to unused
    // uploads.
    expect(await later(10 * MINUTE, expired)).not.toContain(file.body.fileId)
    const ended = await later(31 * MINUTE, expired)
    expect(ended).toContain(file.body.fileId)
    expect(ended).not.toContain(others.body.fileId)
    await eva.send(`DELETE /workflows/${workflowId}/listeners/${listener.listenerId}`)
    expect(await later(31 * MINUTE, expired)).toContain(file.body.fileId)
  })

  test('leaves no bytes without a row when it is stopped and swept while a file is stored', async () => {
    const { workflowId } = await newWorkflow(eva)
    const listener = await listen(eva, workflowId, 'form')
    const { files, database } = server.context
    const deleted: string[] = []
    const sweep = () =>
      sweepUploads(
        {
          uploads: database.formUploads,
          files: {
            delete: async (key) => {
              deleted.push(key)
              await files.delete(key)
            },
          },
        },
        clock.now(),
      )
    const { put } = files
    let stored = ''
    files.put = async (key, file) => {
      await eva.send(`DELETE /workflows/${workflowId}/listeners/${listener.listenerId}`)
      await sweep()
      stored = key
      await put.call(files, key, file)
    }
    await upload(server, pathOf(listener), 'cv.txt', 'a').finally(() => {
      files.put = put
    })
    deleted.length = 0
    await later(31 * MINUTE, sweep)
    expect(deleted).toContain(stored)
  })

  test('keeps no password of a refused submission: neither a repeated one, nor one of a question that was renamed', async () => {
    const { workflowId } = await newWorkflow(eva)
    const listener = await listen(eva, workflowId, 'form')
    const sent = await page(listener, [
      ['name', 'Ana'],
      ['code', 'sesame'],
      ['code', 'sesame'],
      ['formerCode', 'sesame'],
    ])
    expect(sent.statusCode).toBe(400)
    const call = await wholeCall(eva, workflowId)
    expect(call.payload).toEqual({ name: 'Ana', code: '[redacted]', formerCode: '[redacted]' })
    expect(JSON.stringify(call)).not.toContain('sesame')
  })

  test('hands over answers with many long files as a whole, with shorter texts of the files', async () => {
    const fields = [{ name: 'cv', label: 'CV', type: 'file', multiple: true, maxFiles: 20 }]
    const { workflowId } = await newWorkflow(eva, listenedDraft({ fields }))
    const listener = await listen(eva, workflowId, 'form')
    const ids: [string, string][] = []
    for (let at = 0; at < 18; at += 1) {
      const { body } = await upload(server, pathOf(listener), `${at}.txt`, '字'.repeat(20_000))
      ids.push(['cv', String(body.fileId)])
    }
    expect((await page(listener, ids)).statusCode).toBe(303)
    const call = await wholeCall(eva, workflowId)
    expect(call).toMatchObject({ isComplete: true, reason: expect.stringContaining('2,000 characters') })
    const texts = (propertyOf(call.payload, 'cv') as { text: string }[]).map(({ text }) => text.length)
    expect(texts).toEqual(Array(18).fill(2_000))
  })

  test('accepts no file and keeps no answer when it is stopped during a submission', async () => {
    const { workflowId } = await newWorkflow(eva)
    const listener = await listen(eva, workflowId, 'form')
    const file = await upload(server, pathOf(listener), 'cv.txt', 'a')
    const { read } = server.context.database
    const found = read.listeners.byToken
    read.listeners.byToken = async (...given) => {
      const one = await found(...given)
      await eva.send(`DELETE /workflows/${workflowId}/listeners/${listener.listenerId}`)
      return one
    }
    const late = await page(listener, { name: 'Ana', cv: String(file.body.fileId) })
    read.listeners.byToken = found
    expect(late.statusCode).toBe(404)
    expect(await listeners(eva, workflowId)).toEqual([])
  })
})
