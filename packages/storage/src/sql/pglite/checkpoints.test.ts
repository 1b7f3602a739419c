import { afterEach, expect, test, vi } from 'vitest'
import { startSmall } from '../../../test/sql/small-schema.ts'
import { keepCheckpoints } from './checkpoints.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a database that was written to is checkpointed within a minute, an idle one is left alone', async () => {
  await using pglite = await startSmall()
  await pglite.exec('create table t (n int)')
  const exec = vi.spyOn(pglite, 'exec')
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  using _ = keepCheckpoints(pglite)
  const checkpoints = () => exec.mock.calls.filter(([sql]) => sql === 'checkpoint').length
  vi.advanceTimersByTime(60_000)
  await expect.poll(checkpoints).toBe(1)
  await pglite.query('select 1')
  vi.advanceTimersByTime(60_000)
  await pglite.query('select 1')
  await pglite.query('insert into t values (1)')
  vi.advanceTimersByTime(60_000)
  await expect.poll(checkpoints).toBe(2)
})
