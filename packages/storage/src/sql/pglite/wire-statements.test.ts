import { expect, test, vi } from 'vitest'
import { startSmall } from '../../../test/sql/small-schema.ts'
import { BrokenDatabaseError } from './broken-database-error.ts'
import { pgliteDriver } from './pglite-driver.ts'

test('a statement without an answer is a crash that is reported once per call, never a success', async () => {
  await using pglite = await startSmall()
  const onBroken = vi.fn()
  const driver = pgliteDriver(pglite, onBroken)
  expect(await driver.execute('select 1', [])).toEqual([[1]])
  // PGlite swallows a crash of PostgreSQL's code and returns the responses from before it.
  vi.spyOn(pglite, 'execProtocolStream').mockResolvedValueOnce([])
  await expect(driver.execute('select 1', [])).rejects.toThrow('did not complete a statement')
  expect(onBroken).toHaveBeenCalledExactlyOnceWith(expect.any(BrokenDatabaseError))
})
