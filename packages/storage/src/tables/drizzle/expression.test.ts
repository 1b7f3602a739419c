import { sql } from 'drizzle-orm'
import { expect, expectTypeOf, test } from 'vitest'
import { json, number, text, timestamp } from '../../sql/client/columns.ts'
import { startBarePglite } from '../../sql/testing/bare-pglite.ts'
import { drizzleOver } from './drizzle.ts'
import { expression } from './expression.ts'

const PAIR = sql`(select 7 as n) pair`

test('an expression has the type of its column, and another value is refused', async () => {
  await using driver = (await startBarePglite(null, [])).driver
  const db = drizzleOver(driver)
  const rows = await db
    .select({
      n: expression(number(), sql`n + 1`),
      name: expression(text(), sql`'chair'::text`),
      at: expression(timestamp(), sql`'2026-11-30T00:00:00Z'::timestamptz`),
      legs: expression(json<{ legs: number }>(), sql`'{"legs": 4}'::json`),
    })
    .from(PAIR)
  expectTypeOf(rows).toEqualTypeOf<{ n: number; name: string; at: Date; legs: { legs: number } }[]>()
  expect(rows).toEqual([{ n: 8, name: 'chair', at: new Date('2026-11-30T00:00:00Z'), legs: { legs: 4 } }])
  const wrong = db.select({ n: expression(number(), sql`n::text`) }).from(PAIR)
  await expect(wrong).rejects.toThrow('an expression that is declared as number returned a string')
})
