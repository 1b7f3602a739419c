import { protocol } from '@electric-sql/pglite'
import { expect, test, vi } from 'vitest'
import { startSmall } from '../../../test/sql/small-schema.ts'
import { bind } from './bind-message.ts'
import { pgliteDriver } from './pglite-driver.ts'

test('values of every kind and length arrive as they were sent', async () => {
  await using pglite = await startSmall()
  const driver = pgliteDriver(pglite)
  const texts = ['', 'a', 'é€😀', 'a\n"\\', 'x'.repeat(70_000), null]
  const columns = texts.map((_, n) => `$${n + 1}::text`).join(', ')
  expect(await driver.execute(`select ${columns}`, texts)).toEqual([texts])
  const statement = { name: 'vâlues', text: 'select $1::int as n, $2::boolean as yes, $3::float8 as x' }
  for (const _ of [1, 2]) {
    expect(await driver.query(statement, [-7, true, 1.5])).toEqual([{ n: -7, yes: true, x: 1.5 }])
  }
})

test("the message is PGlite's own without the formats of texts, and PGlite's function does not write it", async () => {
  const own = Buffer.from(protocol.serialize.bind({ statement: 'ab', values: ['x', null, 'é'] })).toString(
    'hex',
  )
  // Three formats of zero become none, which is equivalent.
  const withoutFormats = own.replace('0003000000000000', '0000').replace(/^42.{8}/, '420000001d')
  expect(Buffer.from(bind('ab', ['x', null, 'é'])).toString('hex')).toBe(withoutFormats)
  await using pglite = await startSmall()
  const slow = vi.spyOn(protocol.serialize, 'bind')
  await pgliteDriver(pglite).execute('select $1::int', [1])
  expect(slow).not.toHaveBeenCalled()
})
