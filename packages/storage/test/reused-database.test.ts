import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { knownMigrations } from '../src/known-migrations.ts'
import { openReusedPglite } from '../src/sql/testing/reused-pglite.ts'

const migrations = await knownMigrations()

const insertOrganization = `insert into organizations (id, slug, name, rpm, concurrent_runs) values ($1, $2, 'Acme', 60, 20)`

it('the next user of a database in memory finds no rows, sequences at their start and the rows of migrations', async () => {
  const first = await openReusedPglite(migrations)
  const organizationId = randomUUID()
  await first.driver.execute(insertOrganization, [organizationId, 'acme'])
  await first.driver.execute(
    `insert into projects (id, organization_id, slug, name) values ($1, $2, 'mine', 'Mine')`,
    [randomUUID(), organizationId],
  )
  expect(await first.driver.execute(`select nextval('audit_log_id_seq')`, [])).toEqual([[1]])
  await first[Symbol.asyncDispose]()

  await using second = await openReusedPglite(migrations)
  expect(
    await second.driver.execute(
      'select (select count(*) from organizations), (select count(*) from projects)',
      [],
    ),
  ).toEqual([[0, 0]])
  expect(await second.driver.execute(`select nextval('audit_log_id_seq')`, [])).toEqual([[1]])
  expect(await second.driver.execute('select tag from troupe_migrations order by n', [])).toEqual(
    migrations.map(({ tag }) => [tag]),
  )
})

it('waits for a running transaction, and refuses later statements of an earlier user', async () => {
  const first = await openReusedPglite(migrations)
  const running = first.driver.transaction(async (client) => {
    await client.execute('select 1', [])
    await client.execute(insertOrganization, [randomUUID(), 'late'])
  })
  await first[Symbol.asyncDispose]()
  await running
  await expect(first.driver.execute('select 1', [])).rejects.toThrow('PGlite is closed')

  await using second = await openReusedPglite(migrations)
  expect(await second.driver.execute('select count(*) from organizations', [])).toEqual([[0]])
})

it('a database whose schema, settings or locks its user changed is not used again', async () => {
  const changes = [
    'create table left_over (n int)',
    `set application_name = 'changed'`,
    'select pg_advisory_lock(1)',
  ]
  for (const change of changes) {
    const first = await openReusedPglite(migrations)
    await first.driver.script(change)
    await first[Symbol.asyncDispose]()
    await using second = await openReusedPglite(migrations)
    const left = await second.driver.execute(
      `select to_regclass('left_over')::text, current_setting('application_name') = 'changed',
         (select count(*) from pg_locks where locktype = 'advisory')`,
      [],
    )
    expect(left, change).toEqual([[null, false, 0]])
  }
})

it('two concurrent users have separate databases', async () => {
  await using first = await openReusedPglite(migrations)
  await using second = await openReusedPglite(migrations)
  await first.driver.execute(insertOrganization, [randomUUID(), 'acme'])
  expect(await second.driver.execute('select count(*) from organizations', [])).toEqual([[0]])
})
