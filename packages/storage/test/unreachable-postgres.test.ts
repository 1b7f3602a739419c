import { createServer } from 'node:net'
import { testPostgres } from '@troupe/test-kit/postgres'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../src/open-database.ts'
import { openPool } from '../src/sql/postgres/pool-driver.ts'
import { hasPgbouncer, startPgbouncer } from './pgbouncer.ts'

const open = (url: string) => openDatabase({ kind: 'postgres', url, poolSize: 2, replicas: true })

test('a server that does not answer is named with its port, the database and the reason', async () => {
  const closed = createServer()
  const port = await new Promise<number>((resolve) => {
    closed.listen(0, '127.0.0.1', () => resolve((closed.address() as { port: number }).port))
  })
  await new Promise((resolve) => closed.close(resolve))
  await expect(open(`postgres://ann:pass-word@127.0.0.1:${port}/troupe`)).rejects.toMatchObject({
    name: 'DatabaseUnreachableError',
    message: `PostgreSQL at 127.0.0.1:${port}, database "troupe", cannot be reached (ECONNREFUSED). Start it, or check DATABASE_URL.`,
  })
})

const migrated = () => testPostgres(async (url) => (await open(url))[Symbol.asyncDispose]())

test('a missing database is reported as a sentence', async ({ skip }) => {
  await using postgres = await migrated()
  if (!postgres) return skip()
  const url = new URL(postgres.url)
  url.pathname = '/nobody_made_this'
  await expect(open(url.href)).rejects.toMatchObject({
    name: 'DatabaseUnreachableError',
    message: expect.stringMatching(
      /^PostgreSQL at .* has no database "nobody_made_this" \(3D000\)\. Create it/,
    ),
  })
})

const sentence = (message: string | RegExp) => ({
  name: 'DatabaseUnreachableError',
  message: expect.stringMatching(message),
})

test('a search path without a schema, missing rights and a read-only database are reported as a sentence', async ({
  skip,
}) => {
  await using postgres = await migrated()
  if (!postgres) return skip()
  await using database = await postgres.createEmptyDatabase()
  const noSchema = `${database.url}?options=-c%20search_path%3Dnobody_made_this`
  await expect(open(noSchema)).rejects.toMatchObject(
    sentence(/no schema for the tables \(3F000\).*search_path/),
  )
  const readOnly = `${database.url}?options=-c%20default_transaction_read_only%3Don`
  await expect(open(readOnly)).rejects.toMatchObject(sentence(/is read-only \(25006\)/))
  await using driver = openPool({ url: database.url, size: 1, onError: () => {} })
  const user = `reader_${process.pid}_${Date.now()}`
  await driver.script(`revoke create on schema public from public; create role ${user} login`)
  try {
    const url = new URL(database.url)
    url.username = user
    await expect(open(url.href)).rejects.toMatchObject(
      sentence(new RegExp(`"${user}" may not create tables.*42501`)),
    )
  } finally {
    await driver.script(`drop role ${user}`)
  }
})

test('a database that cannot store every letter is reported as a sentence', async ({ skip }) => {
  await using postgres = await migrated()
  if (!postgres) return skip()
  await using driver = openPool({ url: postgres.url, size: 1, onError: () => {} })
  const name = `latin_${process.pid}_${Date.now()}`
  await driver.script(`create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`)
  try {
    const url = new URL(postgres.url)
    url.pathname = `/${name}`
    await expect(open(url.href)).rejects.toMatchObject(
      sentence(new RegExp(`"${name}" has the encoding SQL_ASCII.*ENCODING 'UTF8' LOCALE 'C'`)),
    )
  } finally {
    await driver.script(`drop database ${name} with (force)`)
  }
})

test('a server without TLS that is required is reported as a sentence', async ({ skip }) => {
  await using postgres = await migrated()
  if (!postgres) return skip()
  await expect(open(`${postgres.url}?sslmode=require`)).rejects.toMatchObject(
    sentence(/does not support TLS, which sslmode in DATABASE_URL requires/),
  )
})

describe('behind a real PgBouncer', () => {
  const POOLERS = [
    [
      'transaction',
      {
        ignore_startup_parameters: 'extra_float_digits,statement_timeout,idle_in_transaction_session_timeout',
      },
    ],
    ['transaction', { default_pool_size: '1' }],
    ['statement', {}],
  ] as const
  test.for(POOLERS)('pool_mode=%s is refused before anything is written: %o', async ([mode, settings], {
    skip,
  }) => {
    await using postgres = await migrated()
    if (!postgres || !hasPgbouncer()) return skip()
    await using database = await postgres.createEmptyDatabase()
    await using pooler = await startPgbouncer(database.url, { pool_mode: mode, ...settings })
    await expect(open(pooler.url)).rejects.toMatchObject(
      sentence(/set pool_mode=session, or connect to PostgreSQL itself/),
    )
    await using driver = openPool({ url: database.url, size: 1, onError: () => {} })
    expect(await driver.execute(`select to_regclass('troupe_migrations')::text`, [])).toEqual([[null]])
  })

  test('pool_mode=session works', async ({ skip }) => {
    await using postgres = await migrated()
    if (!postgres || !hasPgbouncer()) return skip()
    await using database = await postgres.createEmptyDatabase()
    const settings = {
      ignore_startup_parameters: 'extra_float_digits,statement_timeout,idle_in_transaction_session_timeout',
    }
    await using pooler = await startPgbouncer(database.url, { pool_mode: 'session', ...settings })
    await using opened = await open(pooler.url)
    expect(await opened.read.organizations.all()).toEqual([])
  })
})
