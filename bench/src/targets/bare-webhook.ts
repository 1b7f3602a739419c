import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { DatabaseOptions } from '@troupe/storage'
import { openDriver } from '@troupe/storage/testing'
import Fastify from 'fastify'
import { HOOK } from './measured-webhook.ts'

/**
 * The minimum work of a webhook: one bare route that verifies the same signature over the same raw body and
 * inserts the row of the run. Tables, indexes, driver and pool are Troupe's.
 *
 * Arguments: port, `postgres:<url>` or `pglite:<folder>`.
 */
const [port, storage = ''] = process.argv.slice(2)

/** The same number of connections as Troupe. */
const POOL_SIZE = 20
const TOLERANCE_SECONDS = 300

const INSERT = {
  name: 'bare_webhook',
  text: `insert into workflow_runs (id, organization_id, workflow_id, deployment_id, version_id, source, status, input,
    variables, dispatch_due_at, created_at)
  values ($1::uuid, $2::uuid, $2::uuid, $2::uuid, $2::uuid, 'webhook', 'queued', $3::json, '{}', now(), now())`,
}

const options: DatabaseOptions = storage.startsWith('postgres:')
  ? { kind: 'postgres', url: storage.slice('postgres:'.length), poolSize: POOL_SIZE, replicas: true }
  : { kind: 'pglite', directory: storage.slice('pglite:'.length) }
const driver = await openDriver(options)
const tenant = randomUUID()

function isSigned(headers: NodeJS.Dict<string | string[]>, raw: Buffer): boolean {
  const timestamp = String(headers['x-service-timestamp'])
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false
  const given = Buffer.from(String(headers['x-service-signature']), 'hex')
  const expected = createHmac('sha256', HOOK.signingSecret).update(`${timestamp}.`).update(raw).digest()
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const app = Fastify()
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))
app.post('/hook', async ({ headers, body }, reply) => {
  const raw = body as Buffer
  if (!isSigned(headers, raw)) return reply.code(401).send({ error: 'unauthorized' })
  const executionId = randomUUID()
  await driver.query(INSERT, [executionId, tenant, JSON.stringify(JSON.parse(raw.toString('utf8')))])
  return reply.code(202).send({ executionId })
})
app.get('/ready', async () => 'ready')
await app.listen({ port: Number(port), host: '127.0.0.1' })

process.once('SIGTERM', async () => {
  await app.close()
  await driver[Symbol.asyncDispose]()
  process.exit(0)
})
