import { publishSeededForm, seedForm } from '@troupe/test-kit/seed-form'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  basic,
  type FormServer,
  readBy,
  resultOf,
  runsDuring,
  startFormServer,
  visitor,
} from './form-setting.ts'

let server: FormServer
let call: ReturnType<typeof visitor>
beforeAll(async () => {
  server = await startFormServer()
  call = visitor(server)
})
afterAll(() => server[Symbol.asyncDispose]())

const seed = (form: Omit<Parameters<typeof seedForm>[1], 'organizationId'> = {}) =>
  seedForm(server.context, { organizationId: server.seed.organizationId, ...form })
const BASIC = { auth: { mode: 'basic', username: 'guest' } }

describe('POST /forms/{formToken}/submit', () => {
  test('202: the status and nothing of the run; the values are bound by field name', async () => {
    const { path } = await seed({
      fields: [
        { name: 'name', label: 'Name', type: 'text' },
        { name: 'how many', label: 'How many', type: 'number' },
        { name: 'source', label: '', type: 'hidden', defaultValue: 'web' },
      ].map((field) => ({ ...field, label: field.label || 'x' })),
    })
    const read = await readBy(server, path, { name: 'Ana', 'how many': '3', isAdmin: true })
    expect(read).toEqual({ name: 'Ana', 'how many': 3, source: 'web' })
  })

  test('202 by the shorter path', async () => {
    const { path } = await seed()
    expect(await call(`POST ${path}`, { body: { name: 'Ana' } })).toMatchObject({
      status: 202,
      body: { status: 'received' },
    })
  })

  test('400: every invalid field is named, and nothing starts', async () => {
    const { path } = await seed({
      fields: [
        { name: 'mail', label: 'Mail', type: 'email' },
        { name: 'age', label: 'Age', type: 'number', required: true },
      ],
    })
    const runs = await runsDuring(server, async () => {
      expect(await call(`POST ${path}/submit`, { body: { mail: 'x' } })).toMatchObject({
        status: 400,
        body: {
          error: 'validation_error',
          message: 'Some answers are not valid.',
          issues: [
            { field: 'mail', message: 'must be an e-mail address' },
            { field: 'age', message: 'is required' },
          ],
        },
      })
    })
    expect(runs).toEqual([])
  })

  test.for<[string, string]>([
    ['broken JSON', '{"name"'],
    ['a list', '[]'],
    ['no body', ''],
    ['a text', '"name"'],
    ['a key that would reach a prototype', '{"__proto__": {"name": "x"}}'],
  ])('400 for %s', async ([, body]) => {
    const { path } = await seed()
    const answer = await call(`POST ${path}/submit`, { body })
    expect(answer).toMatchObject({ status: 400, body: { error: 'validation_error' } })
  })

  test('400 empty_graph if no step follows the triggers', async () => {
    const note = { id: 'n', type: 'note', name: 'Note', position: { x: 0, y: 0 }, config: { text: 'later' } }
    const { path } = await seed({ steps: { nodes: [note], edges: [] } })
    expect(await call(`POST ${path}/submit`, { body: {} })).toMatchObject({
      status: 400,
      body: { error: 'empty_graph', message: 'The workflow behind this form has no steps yet.' },
    })
  })

  test('401 without a password, with a wrong one and for an unknown user; nothing of the form is revealed', async () => {
    const { path } = await seed({ config: BASIC, password: 'open sesame' })
    for (const target of [`GET ${path}`, `POST ${path}/submit`, `POST ${path}`]) {
      const body = target.startsWith('GET') ? {} : { body: { name: 'Ana' } }
      const bare = await call(target, body)
      expect([bare.status, bare.body]).toEqual([
        401,
        { error: 'unauthorized', message: 'This form requires a password.' },
      ])
      expect(bare.headers['www-authenticate']).toBe('FormBasic')
      expect(bare.headers['set-cookie']).toBeUndefined()
    }
    for (const headers of [basic('guest', 'wrong'), basic('nobody', 'open sesame')]) {
      const answer = await call(`POST ${path}/submit`, { headers, body: { name: 'Ana' } })
      expect([answer.status, answer.body]).toEqual([
        401,
        { error: 'unauthorized', message: 'The user name or the password is wrong.' },
      ])
    }
    const right = await call(`POST ${path}/submit`, { headers: basic('guest', 'open sesame'), body: {} })
    expect(right.status).toBe(202)
  })

  test('404: unknown, unpublished, deleted, and published without a form get one response', async () => {
    const { organizationId } = server.seed
    const { database } = server.context
    const unpublished = await seed()
    await database.transaction(({ write }) =>
      write.workflows.unpublish(organizationId, unpublished.workflowId),
    )
    const deleted = await seed()
    await database.transaction(({ write }) => write.workflows.softDelete(organizationId, deleted.workflowId))
    const hidden = await seed()
    await withoutForm(hidden.workflowId)
    const answers = await Promise.all(
      [
        unpublished.path,
        deleted.path,
        hidden.path,
        '/api/v1/forms/x',
        `/api/v1/forms/${'x'.repeat(500)}`,
        '/api/v1/forms/%E0%A4%A',
      ].map((path) => call(`POST ${path}/submit`, { body: {} })),
    )
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([
        404,
        { error: 'form_not_found', message: 'There is no published form at this address.' },
      ])
    }
  })

  test('404 for a token with an invalid percent escape: the same for the definition and an upload', async () => {
    for (const target of ['GET /api/v1/forms/%E0%A4%A', 'POST /api/v1/forms/%E0%A4%A/upload?field=cv']) {
      expect(await call(target)).toMatchObject({ status: 404, body: { error: 'form_not_found' } })
    }
  })

  test('400 names fields with characters that later steps must not receive', async () => {
    const { path } = await seed({
      fields: [
        { name: 'name', label: 'Name', type: 'text' },
        { name: 'meal', label: 'Meal', type: 'checkboxes', options: ['a'] },
      ],
    })
    const answer = await call(`POST ${path}/submit`, {
      body: String.raw`{"name": "a\u0000", "meal": ["\ud800"], "more": "\u0000"}`,
    })
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        error: 'validation_error',
        message: 'The request body is not valid.',
        errors: [{ path: 'more', message: 'must not contain NUL characters' }],
        issues: [
          { field: 'name', message: 'must not contain NUL characters' },
          { field: 'meal', message: 'must not contain lone surrogates' },
        ],
      },
    ])
  })

  test('413 for more than 1 MB, and 404 before it', async () => {
    const { path } = await seed()
    const body = JSON.stringify({ name: 'x'.repeat(1024 * 1024) })
    expect((await call(`POST ${path}/submit`, { body })).status).toBe(413)
    expect((await call('POST /api/v1/forms/unknown/submit', { body })).status).toBe(404)
  })

  test('415 for other types than JSON', async () => {
    const { path } = await seed()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await call(`POST ${path}/submit`, { headers, body: 'name=Ana' })).status).toBe(415)
  })

  test('a run whose HTTP Request trigger requires more is accepted, and fails', async () => {
    const http = {
      id: 'http',
      type: 'http-request',
      name: 'HTTP',
      position: { x: 0, y: 1 },
      config: { fields: [{ name: 'orderId', type: 'string', required: true }] },
    }
    const keep = {
      id: 'keep',
      type: 'edit-fields',
      name: 'Keep',
      position: { x: 1, y: 0 },
      config: { rows: [{ name: 'answers', value: '{{ trigger.body }}' }] },
    }
    const edge = { id: 'e', source: 'form', sourceHandle: 'out', target: 'keep' }
    const { path } = await seed({ steps: { nodes: [http, keep], edges: [edge] } })
    const [executionId = ''] = await runsDuring(server, async () => {
      expect((await call(`POST ${path}/submit`, { body: { name: 'Ana' } })).status).toBe(202)
    })
    expect(await resultOf(server, executionId)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('"orderId" is required'),
    })
  })
})

async function withoutForm(workflowId: Awaited<ReturnType<typeof seed>>['workflowId']): Promise<void> {
  const { organizationId } = server.seed
  const { database } = server.context
  const { draftRevision: revision } = (await database.read.workflows.byId(organizationId, workflowId)) ?? {}
  if (revision === undefined) throw new Error('no workflow')
  const draft = {
    nodes: [{ id: 'a', type: 'manual-trigger', name: 'A', position: { x: 0, y: 0 }, config: {} }],
    edges: [],
  }
  await database.transaction(({ write }) =>
    write.workflows.updateDraft({ organizationId, id: workflowId, revision, draft }),
  )
  await publishSeededForm(server.context, { organizationId, workflowId })
}

describe('GET /forms/{formToken}', () => {
  test('returns the form without the values of hidden fields, its access rules and its embed origins', async () => {
    const { path } = await seed({
      config: { ...BASIC, embedOrigins: ['https://acme.test'], botGuard: true },
      password: 'open sesame',
      fields: [
        { name: 'campaign', label: 'Campaign', type: 'hidden', defaultValue: 'secret-campaign' },
        { name: 'size', label: 'Size', type: 'radio', options: ['S', { value: 'm', label: 'Medium' }] },
        { name: 'cv', label: 'CV', type: 'file', accept: '.pdf', multiple: true },
      ],
    })
    const { status, body } = await call(`GET ${path}`, { headers: basic('guest', 'open sesame') })
    expect(status).toBe(200)
    expect(JSON.stringify(body)).not.toMatch(/secret-campaign|guest|acme\.test/)
    expect(body).toEqual({
      title: 'Contact us',
      description: '',
      submitLabel: 'Submit',
      successMessage: 'Thank you. Your answer was received.',
      redirectUrl: null,
      auth: { mode: 'basic' },
      theme: { mode: 'auto', accent: null, radius: 8, logoUrl: null },
      maxFileBytes: 16 * 1024 * 1024,
      fields: [
        expect.objectContaining({ name: 'campaign', type: 'hidden', defaultValue: null }),
        expect.objectContaining({
          options: [
            { value: 'S', label: 'S' },
            { value: 'm', label: 'Medium' },
          ],
        }),
        expect.objectContaining({ accept: '.pdf', multiple: true, maxFiles: 10 }),
      ],
    })
  })

  test('another method is 405', async () => {
    const { path } = await seed()
    const answer = await call(`DELETE ${path}`)
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS, POST'])
  })
})
