import type { PGlite } from '@electric-sql/pglite'
import { expect, test } from 'vitest'
import { startSmall } from '../../../test/sql/small-schema.ts'
import { upkeepOf } from './vacuum.ts'

const MB = 1024 * 1024
const FILL = "insert into t select n, repeat('x', 200) from generate_series(1, 2000) n"
const sizeOf = async (pglite: PGlite) =>
  (await pglite.query<{ size: number }>("select pg_relation_size('t')::int as size")).rows[0]?.size

test('a table with deleted rows is vacuumed once, and its space is used again', async () => {
  await using pglite = await startSmall()
  await pglite.exec('create table t (n int primary key, x text)')
  const upkeep = upkeepOf(pglite)
  expect(await upkeep.vacuum(10 * MB)).toBeNull()
  await pglite.exec(FILL)
  const size = await sizeOf(pglite)
  await pglite.exec('delete from t where n > 0')
  expect(await upkeep.vacuum(10 * MB)).toBe('t')
  expect(await upkeep.vacuum(10 * MB)).toBeNull()
  await pglite.exec(FILL)
  expect(await sizeOf(pglite)).toBe(size)
})

test('a table that would take longer than allowed waits, and a smaller one is taken first', async () => {
  await using pglite = await startSmall()
  await pglite.exec('create table small (n int); create table t (n int primary key, x text)')
  await pglite.exec(FILL)
  await pglite.exec('insert into small select n from generate_series(1, 500) n')
  await pglite.exec('delete from t; delete from small')
  const upkeep = upkeepOf(pglite)
  expect(await upkeep.vacuum(10_000)).toBeNull()
  expect(await upkeep.vacuum(MB / 3)).toBe('small')
  expect(await upkeep.vacuum(MB / 3)).toBeNull()
  expect(await upkeep.vacuum(10 * MB)).toBe('t')
})

test('dead rows of an earlier process are vacuumed by the next, although their statistics are lost', async () => {
  await using pglite = await startSmall()
  await pglite.exec('create table t (n int primary key, x text)')
  await pglite.exec(FILL)
  await pglite.query("select pg_stat_force_next_flush(), pg_stat_reset_single_table_counters('t'::regclass)")
  const upkeep = upkeepOf(pglite)
  expect(await upkeep.vacuum(10 * MB)).toBe('t')
  expect(await upkeep.vacuum(10 * MB)).toBeNull()
})
