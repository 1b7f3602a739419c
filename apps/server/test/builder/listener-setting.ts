import { propertyOf } from '@troupe/contract'
import type { Listener, ListenerCall, RevealedListener } from '@troupe/contract/builder'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { signedHeaders } from '@troupe/test-kit/seed-webhook'
import type { TestServer } from '@troupe/test-kit/server'
import { expect } from 'vitest'
import type { BuilderClient } from './builder-caller.ts'

const FIELDS = [
  { name: 'name', label: 'Name', type: 'text', required: true },
  { name: 'code', label: 'Code', type: 'password' },
  { name: 'cv', label: 'CV', type: 'file' },
]

/** A draft with a deduplicated webhook and a form, both connected to one step. */
export const listenedDraft = (form: object = {}) => ({
  nodes: [
    node('hook', 'http-request', {
      fields: [{ name: 'orderId', type: 'string', required: true }],
      rejectDuplicates: true,
    }),
    node('form', 'form-trigger', { title: 'Contact', fields: FIELDS, ...form }),
    node('keep', 'edit-fields', { rows: [{ name: 'a', value: '{{ trigger.body }}' }] }),
  ],
  edges: [edge('hook', 'keep'), edge('form', 'keep')],
})

export async function newWorkflow(as: BuilderClient, draft: object = listenedDraft()) {
  const { status, body } = await as.send('POST /workflows', { name: 'Orders', draft })
  expect([status, body]).toEqual([201, body])
  return body as { workflowId: string; draftRevision: number }
}

export async function publish(as: BuilderClient, workflowId: string, formPassword?: string): Promise<void> {
  const { body } = await as.send(`GET /workflows/${workflowId}`)
  const answer = await as.send(`POST /workflows/${workflowId}/publish`, {
    draftRevision: Number(propertyOf(body, 'draftRevision')),
    ...(formPassword === undefined ? {} : { formPassword }),
  })
  expect([answer.status, answer.body]).toEqual([200, answer.body])
}

export async function listen(as: BuilderClient, workflowId: string, kind: 'webhook' | 'form') {
  const { status, body } = await as.send(`POST /workflows/${workflowId}/listeners`, { kind })
  expect([status, body]).toEqual([201, body])
  return body as RevealedListener
}

export async function listeners(as: BuilderClient, workflowId: string): Promise<Listener[]> {
  const { body } = await as.send(`GET /workflows/${workflowId}/listeners`)
  return (body as { data: Listener[] }).data
}

/** The recorded calls of the first listener, newest first. */
export async function calls(as: BuilderClient, workflowId: string) {
  return (await listeners(as, workflowId))[0]?.calls ?? []
}

export async function wholeCall(as: BuilderClient, workflowId: string, at = 0): Promise<ListenerCall> {
  const [listener] = await listeners(as, workflowId)
  const callId = listener?.calls[at]?.callId
  const path = `/workflows/${workflowId}/listeners/${listener?.listenerId}/calls/${callId}`
  return (await as.send(`GET ${path}`)).body as ListenerCall
}

/** The path of an address of the server. */
export const pathOf = ({ url }: Pick<Listener, 'url'>) => new URL(url).pathname

/** A signed call of the test address; `headers` take precedence, and `undefined` omits one. */
export async function callTest(
  server: TestServer,
  listener: Pick<RevealedListener, 'url' | 'secret'>,
  body: string | Buffer = '{"orderId":"A-1"}',
  headers: Record<string, string | undefined> = {},
) {
  const all = { ...signedHeaders(listener.secret ?? '', body), ...headers }
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  const answer = await server.app.inject({
    method: 'POST',
    url: pathOf(listener),
    headers: sent as Record<string, string>,
    payload: body,
  })
  return { status: answer.statusCode, body: answer.json<{ executionId?: string; message?: string }>() }
}

/** The runs and the logged deliveries of a workflow, of every kind that is stored. */
export async function traces(server: TestServer, as: BuilderClient, workflowId: string) {
  await server.context.webhooks.recorder.flush()
  const runs = await as.send(`GET /runs?kind=workflow&entityId=${workflowId}`)
  const deliveries = await as.send(`GET /workflows/${workflowId}/deliveries`)
  expect([runs.status, deliveries.status]).toEqual([200, 200])
  const count = (body: unknown) => (propertyOf(body, 'data') as unknown[]).length
  return { runs: count(runs.body), deliveries: count(deliveries.body) }
}
