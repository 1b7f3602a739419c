import { openReusedDatabase } from '@troupe/storage/reused-database'
import { formGraph, publishSeededForm, type SeededForm, seedForm } from '@troupe/test-kit/seed-form'
import { hookGraph, type SeededWebhook, seedWebhook, signedHeaders } from '@troupe/test-kit/seed-webhook'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type FormServer, resultOf, runsDuring, startFormServer, visitor } from './forms/form-setting.ts'

// A publish commits between the check of a request and the start of its run: here, after the lookup of the form or the
// webhook has read the older version.

const resources = new AsyncDisposableStack()
/** Each is executed once, after the next lookup. */
const publishes: (() => Promise<unknown>)[] = []
let server: FormServer
beforeAll(async () => {
  const database = resources.use(await openReusedDatabase())
  const { forms, webhooks } = database.read
  const behind = async <T>(found: Promise<T>): Promise<T> => {
    const older = await found
    await publishes.shift()?.()
    return older
  }
  const read: typeof database.read = {
    ...database.read,
    forms: { ...forms, byToken: (hash) => behind(forms.byToken(hash)) },
    webhooks: { ...webhooks, byToken: (id, hash) => behind(webhooks.byToken(id, hash)) },
  }
  server = resources.use(await startFormServer({ overrides: { database: { ...database, read } } }))
})
afterAll(() => resources.disposeAsync())
afterEach(() => {
  expect(publishes.splice(0), 'every publish happened').toEqual([])
})

const organization = () => server.seed.organizationId
const text = (name: string, more = {}) => ({ name, label: name, type: 'text', ...more })
const NAME = [text('name')]
const NAME_AND_AGE = [text('name'), { name: 'age', label: 'Age', type: 'number', required: true }]

/** Republishes the form of a workflow. */
function publishForm(
  { workflowId }: SeededForm,
  seed: Parameters<typeof formGraph>[0],
  more: { password?: string } = {},
) {
  return async () => {
    const found = await server.context.database.read.workflows.byId(organization(), workflowId)
    if (!found) throw new Error('the workflow is gone')
    await server.context.database.transaction(({ write }) =>
      write.workflows.updateDraft({ ...found, revision: found.draftRevision, draft: formGraph(seed) }),
    )
    await publishSeededForm(server.context, { organizationId: organization(), workflowId, ...more })
  }
}

describe('a form that is republished while a submission is checked', () => {
  const submit = (form: SeededForm, body: object) => visitor(server)(`POST ${form.path}/submit`, { body })

  test('checks the submission against the newer version, and refuses it there', async () => {
    const form = await seedForm(server.context, { organizationId: organization(), fields: NAME })
    publishes.push(publishForm(form, { fields: NAME_AND_AGE }))
    const runs = await runsDuring(server, async () => {
      expect(await submit(form, { name: 'Ana' })).toMatchObject({
        status: 400,
        body: { issues: [{ field: 'age', message: 'is required' }] },
      })
    })
    expect(runs).toEqual([])
  })

  test('starts the newer version with a submission valid for it', async () => {
    const form = await seedForm(server.context, { organizationId: organization(), fields: NAME })
    publishes.push(publishForm(form, { fields: NAME_AND_AGE }))
    const [run = '', ...more] = await runsDuring(server, async () => {
      expect((await submit(form, { name: 'Ana', age: '7' })).status).toBe(202)
    })
    expect(more).toEqual([])
    expect(await resultOf(server, run)).toMatchObject({ output: { answers: { name: 'Ana', age: 7 } } })
  })

  test('requires the password of the newer version', async () => {
    const form = await seedForm(server.context, { organizationId: organization() })
    publishes.push(
      publishForm(
        form,
        { config: { auth: { mode: 'basic', username: 'guest' } } },
        { password: 'x'.repeat(12) },
      ),
    )
    const runs = await runsDuring(server, async () => {
      expect(await submit(form, { name: 'Ana' })).toMatchObject({ status: 401 })
    })
    expect(runs).toEqual([])
  })

  test('shows the newer form on its page, with the missing fields', async () => {
    const form = await seedForm(server.context, { organizationId: organization(), fields: NAME })
    publishes.push(publishForm(form, { fields: NAME_AND_AGE }))
    const page = await server.app.inject({
      method: 'POST',
      url: `/forms/${form.token}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'name=Ana',
    })
    expect(page.statusCode).toBe(400)
    expect(page.body).toContain('is required')
  })

  test('is not started when it is republished at each of three attempts', async () => {
    const form = await seedForm(server.context, { organizationId: organization(), fields: NAME })
    for (const name of ['a', 'b', 'c'])
      publishes.push(publishForm(form, { fields: [text('name'), text(name)] }))
    const runs = await runsDuring(server, async () => {
      expect(await submit(form, { name: 'Ana' })).toMatchObject({
        status: 500,
        body: { error: 'execution_create_failed' },
      })
    })
    expect(runs).toEqual([])
  })
})

describe('a webhook that is republished while a delivery is checked', () => {
  /** Publishes another graph for the workflow of a webhook. */
  const publishHook =
    ({ workflowId: id }: SeededWebhook, config: Record<string, unknown>) =>
    () =>
      server.context.database.transaction(({ write }) =>
        write.workflows.publish({
          organizationId: organization(),
          id,
          graph: hookGraph(config),
          resources: [],
          createdBy: { kind: 'system', id: null, ip: null, requestId: null },
        }),
      )

  test('deduplicates by the newer version', async () => {
    const hook = await seedWebhook(server.context, { organizationId: organization(), projectId: null })
    publishes.push(publishHook(hook, { rejectDuplicates: true }))
    const deliver = () =>
      server.call(`POST ${hook.path}`, {
        key: null,
        headers: { ...signedHeaders(hook.signingSecret, '{}'), 'webhook-id': 'evt-1' },
        body: '{}',
      })
    const [first, second] = [await deliver(), await deliver()]
    expect([first.status, second.status]).toEqual([202, 202])
    expect(second.body).toEqual(first.body)
  })
})
