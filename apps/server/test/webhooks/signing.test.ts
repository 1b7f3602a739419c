import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { getWebhook } from '@troupe/operations/triggers/get-webhook'
import { rotateSigningSecret } from '@troupe/operations/triggers/rotate-signing-secret'
import { hookGraph, type SeededWebhook, seedWebhook, signedHeaders } from '@troupe/test-kit/seed-webhook'
import { seedWorkflow } from '@troupe/test-kit/seed-workflow'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
let origin: string
beforeAll(async () => {
  server = await startTestServer()
  origin = await server.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server[Symbol.asyncDispose]())

const scope = () => ({ organizationId: server.seed.organizationId, projectId: null })
const actor = { kind: 'system', id: null, ip: null, requestId: null } as const
const parts = () => ({
  database: server.context.database,
  configChanges: server.context.configChanges,
  box: server.context.secretBox,
  now: Date.now,
  publicUrl: origin,
})
const webhook = () =>
  seedWebhook(server.context, { organizationId: server.seed.organizationId, projectId: null })
const call = ({ path }: SeededWebhook, secret: string) =>
  server.call(`POST ${path}`, { key: null, headers: signedHeaders(secret, '{}'), body: '{}' })

/** The output of a program; fails when the program fails. */
async function outputOf(command: string, args: string[], input: string): Promise<string> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${text}`)
  return text
}

const canRun = (command: string) => spawnSync(command, ['--version']).error === undefined
const programs = ['curl', 'openssl', 'python3']
const missing = programs.filter((program) => !canRun(program))
if (missing.length > 0)
  console.warn(`Signing snippets are skipped: this machine has no ${missing.join(', ')}.`)

describe.skipIf(missing.length > 0)('the snippets of the builder', () => {
  test.for<['curl' | 'node' | 'python', string, string[]]>([
    ['curl', 'sh', []],
    ['node', process.execPath, ['--input-type=module', '-']],
    ['python', 'python3', ['-']],
  ])('in %s start a run that the triggers accept, without changes', async ([language, command, args]) => {
    const fields = [
      { name: 'order', type: 'string', required: true },
      { name: 'gift', type: 'boolean', required: true },
    ]
    const { workflowId } = await seedWebhook(server.context, {
      ...scope(),
      graph: hookGraph({ fields, sample: { order: `it's "A-1"`, gift: true, note: null } }),
    })
    const { snippets } = await getWebhook(parts(), scope(), workflowId)
    const output = await outputOf(command, args, snippets[language])
    const executionId = /"executionId":"([0-9a-f-]{36})"/.exec(output)?.[1]
    const job = async () => (await server.call(`GET /api/v1/workflow-jobs/${executionId}`)).body
    await expect.poll(job, { timeout: 10_000 }).toMatchObject({ workflowId, status: 'completed' })
  })
})

describe('rotating the signing secret', () => {
  test('keeps the previous secret for a day, and no older one', async () => {
    const hook = await webhook()
    const first = await rotateSigningSecret(parts(), scope(), actor, hook.workflowId)
    expect(first.signingSecret).not.toBe(hook.signingSecret)
    expect(first.url).toBe(`${origin}${hook.path}`)
    const left = (first.previousSecretUntil ?? 0) - Date.now() / 1000
    expect(left).toBeGreaterThan(24 * 3_600 - 60)
    expect(left).toBeLessThanOrEqual(24 * 3_600)
    expect([
      (await call(hook, hook.signingSecret)).status,
      (await call(hook, first.signingSecret)).status,
    ]).toEqual([202, 202])

    const second = await rotateSigningSecret(parts(), scope(), actor, hook.workflowId)
    const statuses = []
    for (const secret of [hook.signingSecret, first.signingSecret, second.signingSecret]) {
      statuses.push((await call(hook, secret)).status)
    }
    expect(statuses).toEqual([401, 202, 202])
  })

  test('is refused for workflows of others', async () => {
    const { workflowId } = await webhook()
    const foreign = { organizationId: server.seed.otherOrganizationId, projectId: null }
    await expect(rotateSigningSecret(parts(), foreign, actor, workflowId)).rejects.toMatchObject({
      code: 'workflow_not_found',
    })
  })
})

describe('bytes on the wire', () => {
  /** Sends bytes slowly or forever; returns the received bytes when the server hangs up. */
  async function raw(head: string, chunks: () => Iterable<Buffer>): Promise<{ text: string; sent: number }> {
    const { hostname, port } = new URL(origin)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    let text = ''
    let isOver = false
    socket.on('data', (chunk) => (text += chunk))
    socket.on('error', () => {
      isOver = true
    })
    const closed = new Promise<void>((resolve) => {
      socket.on('close', () => {
        isOver = true
        resolve()
      })
    })
    socket.write(head)
    let sent = 0
    for (const chunk of chunks()) {
      if (isOver || text !== '') break
      sent += chunk.length
      if (!socket.write(chunk))
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
    }
    const patience = setTimeout(() => socket.destroy(), 5_000)
    await closed
    clearTimeout(patience)
    return { text, sent }
  }

  test('a chunked body without an end is cut at 1 MB, not read', async () => {
    const { path, signingSecret } = await webhook()
    const headers = Object.entries(signedHeaders(signingSecret, '')).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    )
    const head = `POST ${path} HTTP/1.1\r\nHost: troupe.test\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n${headers.join('')}\r\n`
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, 'x'), Buffer.from('\r\n')])
    const { text, sent } = await raw(head, function* () {
      for (let n = 0; n < 1_000; n += 1) yield chunk
    })
    expect(text).toMatch(/^HTTP\/1\.1 413 /)
    expect(text).toContain('payload_too_large')
    expect(sent).toBeLessThan(16 * 1024 * 1024)
  })

  test('a body announced with more than 1 MB is refused before any of it is sent', async () => {
    const { path } = await webhook()
    const head = `POST ${path} HTTP/1.1\r\nHost: troupe.test\r\nConnection: close\r\nContent-Length: 2000000\r\n\r\n`
    const { text } = await raw(head, () => [])
    expect(text).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('a repeated signature header is refused, even if both values are right', async () => {
    const { path, signingSecret } = await webhook()
    const { 'x-service-timestamp': time, 'x-service-signature': signature } = signedHeaders(
      signingSecret,
      '{}',
    )
    const twice = `X-Service-Signature: ${signature}\r\nx-service-signature: ${signature}\r\n`
    const head = `POST ${path} HTTP/1.1\r\nHost: troupe.test\r\nConnection: close\r\nContent-Length: 2\r\nX-Service-Timestamp: ${time}\r\n${twice}\r\n`
    const { text } = await raw(head, () => [Buffer.from('{}')])
    expect(text).toMatch(/^HTTP\/1\.1 401 /)
  })
})

test('a workflow that was never published has no webhook', async () => {
  const id = await seedWorkflow(server.context.database, { ...scope(), publish: false })
  await expect(getWebhook(parts(), scope(), id)).rejects.toMatchObject({ code: 'workflow_not_published' })
  await expect(getWebhook(parts(), scope(), randomUUID())).rejects.toMatchObject({
    code: 'workflow_not_found',
  })
})
