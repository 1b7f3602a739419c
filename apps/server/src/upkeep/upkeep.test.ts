import { startTestServer } from '@troupe/test-kit/server'
import { afterEach, expect, test, vi } from 'vitest'
import { QuietClock } from './quiet-clock.ts'
import { vacuumWhileQuiet } from './vacuum-while-quiet.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a process is quiet since the end of its last request or run; monitoring does not count', () => {
  vi.useFakeTimers()
  let runs = 0
  using clock = new QuietClock(() => runs)
  const [request, probe] = [{}, {}]
  clock.began(request, 'POST /api/v1/agents')
  clock.began(probe, 'GET /readyz')
  vi.advanceTimersByTime(10_000)
  expect(clock.quietMs()).toBe(0)
  clock.ended(request)
  vi.advanceTimersByTime(4_000)
  clock.ended(probe)
  expect(clock.quietMs()).toBe(4_000)
  runs = 1
  vi.advanceTimersByTime(1_000)
  runs = 0
  vi.advanceTimersByTime(2_000)
  expect(clock.quietMs()).toBe(2_000)
})

const MB = 1024 * 1024
const EMPTY_DISK = { freeBytes: Number.POSITIVE_INFINITY }

test.each([
  [0, 3, 1],
  [5_000, 16, 3],
  [300_000, 64, 3],
  [3_600_000, 640, 3],
])('after %i quiet milliseconds a vacuum may read %i MB, and %i calls are made', async (quietMs, limit, calls) => {
  const vacuum = vi.fn(async () => (vacuum.mock.calls.length < 3 ? 'a_table' : null))
  await vacuumWhileQuiet({ upkeep: { vacuum }, quiet: { quietMs: () => quietMs }, storage: EMPTY_DISK })
  expect(vacuum.mock.calls).toEqual(Array.from({ length: calls }, () => [limit * MB]))
})

test('an arriving request ends the vacuuming of further tables', async () => {
  const vacuum = vi.fn(async () => 'a_table')
  const quietMs = vi.fn(() => 0).mockReturnValueOnce(6_000)
  await vacuumWhileQuiet({ upkeep: { vacuum }, quiet: { quietMs }, storage: EMPTY_DISK })
  expect(vacuum.mock.calls).toEqual([[16 * MB], [3 * MB]])
})

test('the log of a vacuum leaves a reserve on the disk', async () => {
  const vacuum = vi.fn(async () => null)
  const quiet = { quietMs: () => 300_000 }
  await vacuumWhileQuiet({ upkeep: { vacuum }, quiet, storage: { freeBytes: 70 * MB } })
  await vacuumWhileQuiet({ upkeep: { vacuum }, quiet, storage: { freeBytes: 20 * MB } })
  expect(vacuum.mock.calls).toEqual([[6 * MB], [-44 * MB]])
})

test('the duties of every minute vacuum an embedded database', async ({ skip }) => {
  await using server = await startTestServer()
  const { database, duties } = server.context
  if (database.upkeep === null) return skip()
  const vacuum = vi.spyOn(database.upkeep, 'vacuum')
  await duties.perform('minute')
  expect(vacuum).toHaveBeenCalled()
})
