import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@troupe/storage'
import { type ModelServer, startModelServer } from '@troupe/test-kit/model-server'
import { serverBinaries, startTestPostgres, type TestPostgres } from '@troupe/test-kit/postgres'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Customer, writeCustomer } from './crash/customer.ts'
import { lostHistory, lostRequests } from './crash/losses.ts'
import { type Program, startProgram, untilReady } from './crash/program.ts'
import { answerSlowly, runOnce, type Sent, sendRuns } from './crash/traffic.ts'

const RUNS = 200
const SESSIONS = 16
const SLOWEST_MS = 1_500
/** The number of responses before the process is killed: from the first INSERTs on. */
const KILLS: readonly (readonly [string, number])[] = [
  ['while runs are being accepted', 0],
  ['when the first answers are out', 20],
  ['in the middle', 120],
]

/** The storage of a program, as its environment. */
type Home = { kind: 'pglite' } | { kind: 'postgres'; url: string }

/** Lost runs reported by a boot. */
function recovered({ output }: Program): number {
  return Number(/"lost":(\d+)/.exec(output())?.[1] ?? 0)
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
}

/** Waits until `count` callers have their response, or all have lost their connection. */
async function untilAnswered(sent: readonly Sent[], count: number): Promise<void> {
  let over = false
  void Promise.all(sent.map(({ ended }) => ended)).then(() => {
    over = true
  })
  while (!over && sent.filter(({ result }) => result).length < count) await pause(2)
}

/** Running rows without a process. The program must have stopped. */
async function stillRunning(folder: string, home: Home): Promise<number> {
  await using database = await openDatabase(
    home.kind === 'pglite'
      ? { kind: 'pglite', directory: join(folder, 'database') }
      : { kind: 'postgres', url: home.url, poolSize: 2, replicas: false },
  )
  return await database.runs.failLost({
    all: true,
    errorCode: 'upstream_error',
    errorMessage: 'left running',
  })
}

const withPostgres = serverBinaries() !== null

describe.each(['pglite', 'postgres'] as const)('the program on %s', (kind) => {
  const resources = new AsyncDisposableStack()
  let postgres: TestPostgres | null = null
  let model: ModelServer
  let folder: string
  let home: Home
  let customer: Customer
  let program: Program

  const start = async () => {
    // Acknowledged means durable, which the test server is not by default.
    const url = home.kind === 'postgres' ? `${home.url}?options=-c%20synchronous_commit%3Don` : ''
    program = await startProgram(folder, { ...customer.env, ...(url ? { DATABASE_URL: url } : {}) })
  }

  beforeAll(async () => {
    if (kind === 'postgres' && withPostgres) {
      postgres = await startTestPostgres(async () => {})
      if (postgres) resources.use(postgres)
    }
    model = resources.use(await startModelServer())
  })
  afterAll(() => resources.disposeAsync())

  beforeEach(async ({ skip }) => {
    if (kind === 'postgres' && !postgres) skip('this machine has no PostgreSQL server')
    model.reset()
    answerSlowly(model, SLOWEST_MS)
    folder = await mkdtemp(join(tmpdir(), 'troupe-crash-'))
    home = postgres
      ? { kind: 'postgres', url: (await postgres.createEmptyDatabase()).url }
      : { kind: 'pglite' }
    customer = await writeCustomer(folder, model.url)
    await start()
  })
  afterEach(async () => {
    await program?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  test('loses no acknowledged run when it is killed, and ends every other one at its next boot', async () => {
    const sessions = Array.from({ length: SESSIONS }, (_, index) => `session-${index}`)
    const all: Sent[] = []
    for (const [moment, answers] of KILLS) {
      const sent = sendRuns(program.origin, customer, RUNS, sessions)
      all.push(...sent)
      if (answers === 0) {
        await expect
          .poll(() => model.requests.length, { interval: 2, timeout: 30_000 })
          .toBeGreaterThan(RUNS / 10)
      }
      await untilAnswered(sent, answers)
      await pause(Math.random() * 30)
      expect(await program.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
      await Promise.all(sent.map(({ ended }) => ended))
      const acknowledged = sent.filter(({ result }) => result).length
      const refused = sent.filter(({ error }) => error)
      expect(refused, `${moment}: nothing may be refused before the kill`).toEqual([])
      expect(acknowledged, `${moment}: the kill must hit runs in flight`).toBeLessThan(RUNS)

      await start()
      expect(recovered(program), `${moment}: lost runs are ended at boot`).toBeGreaterThan(0)
      answerSlowly(model, 20)
      expect(await lostRequests(program.origin, customer, sent), moment).toEqual([])
      expect(await lostHistory(program.origin, customer, model, all), moment).toEqual([])
      answerSlowly(model, SLOWEST_MS)
      model.requests.splice(0)
    }
    expect(await program.end('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(await stillRunning(folder, home), 'rows that stay `running`').toBe(0)
  })

  test('finishes or cancels 50 runs in flight on SIGTERM, and exits with 0', async () => {
    const sent = sendRuns(program.origin, customer, 50, ['a', 'b', 'c', 'd'])
    await untilAnswered(sent, 5)
    expect(await program.end('SIGTERM')).toEqual({ code: 0, signal: null })
    await Promise.all(sent.map(({ ended }) => ended))
    const unanswered = sent.filter(({ result, error, events }) => !result && !error && events.length === 0)
    expect(
      unanswered.map(({ kind: way, message }) => `${way} ${message}`),
      'callers without an answer',
    ).toEqual([])
    await start()
    expect(recovered(program), 'rows that an orderly stop left `running`').toBe(0)
    answerSlowly(model, 20)
    expect(await lostRequests(program.origin, customer, sent)).toEqual([])
    expect(await lostHistory(program.origin, customer, model, sent)).toEqual([])
  })

  test.runIf(kind === 'postgres')(
    'survives a restart of the database and loses no acknowledged run',
    async () => {
      const all: Sent[] = []
      const sessions = ['a', 'b', 'c', 'd']
      for (const answers of [0, 20, 60]) {
        const sent = sendRuns(program.origin, customer, 100, sessions)
        all.push(...sent)
        await untilAnswered(sent, answers)
        await pause(Math.random() * 300)
        await postgres?.restart?.()
        await untilReady(program)
        await Promise.all(sent.map(({ ended }) => ended))
      }
      const acknowledged = all.filter(({ result }) => result)
      expect(acknowledged.length, 'runs that were answered around the restarts').toBeGreaterThan(60)
      answerSlowly(model, 20)
      // A start with a lost response may have left a row: it must end too, although the process never knew it.
      await expect
        .poll(() => lostRequests(program.origin, customer, all), { timeout: 60_000, interval: 1_000 })
        .toEqual([])
      expect(await lostHistory(program.origin, customer, model, all)).toEqual([])
      expect((await runOnce(program.origin, customer, 'a')).status).toBe(200)
      expect(await program.end('SIGTERM')).toEqual({ code: 0, signal: null })
      expect(await stillRunning(folder, home), 'rows that stay `running`').toBe(0)
    },
  )
})
