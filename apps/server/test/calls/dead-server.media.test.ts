import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRestateServer } from '@troupe/engine/testing'
import { voiceEnvironment } from '@troupe/media-servers'
import { startCarrier } from '@troupe/media-servers/testing/carrier'
import { mediaLevel } from '@troupe/media-servers/testing/media-level'
import { Phone } from '@troupe/media-servers/testing/phone'
import { recognise } from '@troupe/media-servers/testing/recognise'
import { startRedis } from '@troupe/rate-limits/testing/redis-process'
import { openDatabase } from '@troupe/storage'
import { freePort } from '@troupe/test-kit/free-port'
import { testPostgres } from '@troupe/test-kit/postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Program, startProgram } from '../crash/program.ts'
import { ANSWERS, GREETING, SPOKEN_SETTINGS } from '../voice/spoken.ts'
import { INTERNAL_TOKEN } from '../voice/voice-setting.ts'
import { type LiveCalls, openLiveCalls } from './live-calls.ts'

async function migrate(url: string): Promise<void> {
  await using _ = await openDatabase({ kind: 'postgres', url, poolSize: 2, replicas: true })
}

const level = await mediaLevel('speech', 'carrier')
const postgres = await testPostgres(migrate)
const LONDON = '+442079460191'
const OTHER = '+442079460192'
const RINGING_S = 10
/** The worker reports the closed room of the call; a machine may be busy. */
const ENDED_MS = (RINGING_S + 8) * 1_000

/** The server of the setting keeps running; the dialing one is a separate process on the same database. */
describe.skipIf(level.missing !== null || postgres === null)('the dialing server is killed', () => {
  const resources = new AsyncDisposableStack()
  let calls: LiveCalls
  let startDialer: () => Promise<Program>

  beforeAll(async () => {
    const [redis, restate] = [await startRedis(), await startRestateServer()]
    // Without these a server refuses to share a database.
    if (!postgres || !redis || !restate) throw new Error('This machine has no PostgreSQL, Redis or Restate.')
    resources.use(postgres)
    const { url } = resources.use(await postgres.createDatabase())
    const database = resources.use(
      await openDatabase({ kind: 'postgres', url, poolSize: 10, replicas: true }),
    )
    const folder = await mkdtemp(join(tmpdir(), 'troupe-dialer-'))
    resources.defer(() => rm(folder, { recursive: true, force: true }))
    const encryptionKey = randomBytes(32)
    const internalPort = await freePort()
    const options = { database, encryptionKey, peers: [internalPort] }
    calls = resources.use(await openLiveCalls(level, SPOKEN_SETTINGS, options))
    const workerPort = await freePort()
    const env = {
      ...voiceEnvironment(calls.voice.media, { internalPort, internalToken: INTERNAL_TOKEN }),
      VOICE_NEW_TRUNK_CALLS: '0',
      DATABASE_URL: url,
      REDIS_URL: resources.use(redis).url,
      RESTATE_INGRESS_URL: resources.use(restate).ingressUrl,
      RESTATE_ADMIN_URL: restate.adminUrl,
      RESTATE_WORKER_PORT: String(workerPort),
      RESTATE_WORKER_URL: `http://127.0.0.1:${workerPort}`,
      TROUPE_SECRET_KEY: `test:${encryptionKey.toString('base64url')}`,
      TROUPE_ADMIN_TOKEN: randomBytes(16).toString('hex'),
    }
    startDialer = () => startProgram(folder, env)
  })
  afterAll(() => resources.disposeAsync())

  test('while it rings: the phone stops, the other server ends the call uncharged, and no minutes are used', async () => {
    await using dialer = await startDialer()
    await using carrier = await startCarrier('ring')
    // One concurrent call, and minutes for one.
    const trunk = { maxConcurrentCalls: 1, ringingTimeoutS: RINGING_S }
    const on = await calls.trunk(carrier.address, { trunk, minutes: 1 })
    const { answer } = calls.place(on, LONDON, 'kept', dialer.origin)
    await carrier.invited
    const invitedAt = Date.now()
    const call = await calls.inRoom()
    expect(await call.reaches('dialing')).toMatchObject({ reservedS: 60 })
    await dialer.end('SIGKILL')
    await expect(answer).rejects.toThrow('fetch failed')
    const refused = await calls.place(on, OTHER).answer
    expect(refused).toMatchObject({ status: 429, body: { error: 'concurrency_limit_reached' } })
    const again = calls.place(on, LONDON, 'kept')
    await carrier.ended
    expect(Date.now() - invitedAt).toBeLessThan((RINGING_S + 3) * 1_000)

    expect(await again.answer).toMatchObject({ status: 502, body: { error: 'call_failed' } })
    const row = await calls.expectNothingLeft(call)
    expect(row).toMatchObject({
      sessionState: 'failed',
      endedReason: 'canceled',
      answeredAt: null,
      chargedS: 0,
    })
    expect(Number(row.endedAt) - invitedAt).toBeLessThan(ENDED_MS)
    process.stdout.write(`Ended ${Number(row.endedAt) - invitedAt} ms after the INVITE\n`)

    await using phone = new Phone()
    const keys = { rtp: String(await phone.open()), ringing: '4000' }
    await using next = await startCarrier('hang-up', keys, Number(carrier.address.split(':')[1]))
    const answered = calls.place(on, OTHER)
    expect(await answered.answer).toMatchObject({ status: 201 })
    await next.ended
    expect(await calls.expectNothingLeft(answered)).toMatchObject({ sessionState: 'completed', chargedS: 60 })
  })

  test('before the callee answers: the agent greets, and the other server charges the call', async () => {
    await using dialer = await startDialer()
    await using phone = new Phone()
    const keys = { rtp: String(await phone.open()), ringing: '9000' }
    await using carrier = await startCarrier('answer', keys)
    const on = await calls.trunk(carrier.address, { trunk: { ringingTimeoutS: 20 } })
    const { answer } = calls.place(on, LONDON, undefined, dialer.origin)
    await carrier.invited
    const call = await calls.inRoom()
    await call.reaches('dialing')
    await dialer.end('SIGKILL')
    await expect(answer).rejects.toThrow('fetch failed')

    expect(await recognise(await phone.ear.sentence(0), ANSWERS)).toBe(GREETING)
    expect(await call.row()).toMatchObject({
      ...{ sessionState: 'active', answeredAt: expect.any(Date), sipCallId: expect.stringMatching(/^SCL_/) },
    })
    await calls.voice.server.context.voice.parts.media.deleteRoom((await call.row()).roomName)
    await carrier.ended
    expect(await calls.expectNothingLeft(call)).toMatchObject({ sessionState: 'completed', chargedS: 60 })
  })
})
