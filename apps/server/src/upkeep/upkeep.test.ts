import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestServer } from '@troupe/test-kit/server'
import { afterEach, expect, test, vi } from 'vitest'
import { folderSize } from './folder-size.ts'
import { QuietClock } from './quiet-clock.ts'
import { vacuumWhileQuiet } from './vacuum-while-quiet.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a process is quiet from the end of the last request or run on, whatever monitoring asks', () => {
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

test.each([
  [0, 50, 1],
  [5_000, 250, 3],
  [300_000, 1_000, 3],
  [3_600_000, 10_000, 3],
])('after %i quiet milliseconds a vacuum may take %i, and %i calls are made', async (quietMs, limit, calls) => {
  const vacuum = vi.fn(async () => (vacuum.mock.calls.length < 3 ? 'a_table' : null))
  await vacuumWhileQuiet({ vacuum }, { quietMs: () => quietMs })
  expect(vacuum.mock.calls).toEqual(Array.from({ length: calls }, () => [limit]))
})

test('a request that arrives ends the vacuuming of further tables', async () => {
  const vacuum = vi.fn(async () => 'a_table')
  const quietMs = vi.fn(() => 0).mockReturnValueOnce(6_000)
  await vacuumWhileQuiet({ vacuum }, { quietMs })
  expect(vacuum.mock.calls).toEqual([[250], [50]])
})

test('the size of a folder is that of all its files; of a missing one 0', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-size-'))
  await mkdir(join(folder, 'below'))
  await writeFile(join(folder, 'a'), 'x'.repeat(10))
  await writeFile(join(folder, 'below', 'b'), 'x'.repeat(32))
  expect(await folderSize(folder)).toBe(42)
  await rm(folder, { recursive: true })
  expect(await folderSize(folder)).toBe(0)
})

test('the duties of every minute vacuum an embedded database', async ({ skip }) => {
  await using server = await startTestServer()
  const { database, duties } = server.context
  if (database.upkeep === null) return skip()
  const vacuum = vi.spyOn(database.upkeep, 'vacuum')
  await duties.perform('minute')
  expect(vacuum).toHaveBeenCalled()
})
