import { randomUUID } from 'node:crypto'
import { type NewId, newId as randomId } from '@troupe/contract'
import { startTestServer, type TestServer, type TestServerOptions } from '@troupe/test-kit/server'
import { expect, vi } from 'vitest'

/** A call without an API key. */
export function visitor(server: TestServer) {
  return (target: string, request: { headers?: Record<string, string>; body?: object | string } = {}) =>
    server.call(target, { key: null, ...request })
}

/** `Authorization: Basic`. */
export function basic(username: string, password: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
}

/** A multipart body with the given parts, written by hand. */
export function multipart(...parts: { name: string; filename?: string; content: string | Buffer }[]): {
  headers: Record<string, string>
  payload: Buffer
} {
  const boundary = randomUUID()
  const chunks = parts.flatMap(({ name, filename, content }) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n`,
    `${filename === undefined ? '' : 'Content-Type: application/x-made-up\r\n'}\r\n`,
    content,
    '\r\n',
  ])
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([...chunks, `--${boundary}--\r\n`].map((chunk) => Buffer.from(chunk))),
  }
}

/** Uploads one file and returns the response. */
export async function upload(
  server: TestServer,
  path: string,
  filename: string,
  content: string | Buffer,
  { field = 'cv', headers = {} }: { field?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const { headers: type, payload } = multipart({ name: 'file', filename, content })
  const answer = await server.app.inject({
    method: 'POST',
    url: `${path}/upload?field=${encodeURIComponent(field)}`,
    headers: { ...type, ...headers },
    payload,
  })
  return { status: answer.statusCode, body: answer.json() }
}

/** A server that records its generated ids, because a form submission does not return the run. */
export interface FormServer extends TestServer {
  newIds: string[]
}

export async function startFormServer(options: TestServerOptions = {}): Promise<FormServer> {
  const newIds: string[] = []
  const newId: NewId = (kind) => {
    const id = randomId(kind)
    newIds.push(id)
    return id
  }
  const server = await startTestServer({ ...options, overrides: { newId, ...options.overrides } })
  return Object.assign(server, { newIds })
}

/** The workflow runs that were stored while `work` ran, oldest first. */
export async function runsDuring(server: FormServer, work: () => Promise<unknown>): Promise<string[]> {
  const from = server.newIds.length
  await work()
  const runs: string[] = []
  for (const id of server.newIds.slice(from)) {
    if ((await server.call(`GET /api/v1/workflow-jobs/${id}`)).status === 200) runs.push(id)
  }
  return runs
}

/** The result of a run, once it has ended. */
export async function resultOf(server: TestServer, executionId: string): Promise<Record<string, unknown>> {
  return vi.waitFor(
    async () => {
      const { status, body } = await server.call(`GET /api/v1/workflow-jobs/${executionId}/result`)
      expect(status).toBe(200)
      return body as Record<string, unknown>
    },
    { timeout: 15_000, interval: 25 },
  )
}

/** Submits and returns the values read by the run. */
export async function readBy(server: FormServer, path: string, body: object): Promise<unknown> {
  const [executionId = ''] = await runsDuring(server, async () => {
    const answer = await server.call(`POST ${path}/submit`, { key: null, body })
    expect([answer.status, answer.body]).toEqual([202, { status: 'received' }])
  })
  const { status, error, output } = await resultOf(server, executionId)
  expect([status, error]).toEqual(['completed', null])
  return (output as { answers: unknown }).answers
}
