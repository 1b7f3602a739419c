import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { knownMigrations } from '../src/migrate/known-migrations.ts'
import { migrate } from '../src/migrate/migrate.ts'
import { pgliteDriver } from '../src/pglite/pglite-driver.ts'
import * as agents from '../src/schema/agents.ts'
import * as apiKeys from '../src/schema/api-keys.ts'
import * as auditLog from '../src/schema/audit-log.ts'
import * as idempotencyKeys from '../src/schema/idempotency-keys.ts'
import * as llmConfigurations from '../src/schema/llm-configurations.ts'
import * as organizations from '../src/schema/organizations.ts'
import * as runEvents from '../src/schema/run-events.ts'
import * as runMessages from '../src/schema/run-messages.ts'
import * as runs from '../src/schema/runs.ts'
import * as sessions from '../src/schema/sessions.ts'
import * as usageRecords from '../src/schema/usage-records.ts'

const SCHEMA = {
  ...agents,
  ...apiKeys,
  ...auditLog,
  ...idempotencyKeys,
  ...llmConfigurations,
  ...organizations,
  ...runEvents,
  ...runMessages,
  ...runs,
  ...sessions,
  ...usageRecords,
}

describe('migrations', () => {
  let pglite: PGlite
  beforeAll(async () => {
    pglite = await PGlite.create()
  })
  afterAll(() => pglite.close())

  it('say what the schema says: none is missing', async () => {
    const last = (await knownMigrations()).length - 1
    const snapshot = new URL(
      `../migrations/meta/${String(last).padStart(4, '0')}_snapshot.json`,
      import.meta.url,
    )
    const migrated = JSON.parse(await readFile(snapshot, 'utf8')) as Parameters<typeof generateMigration>[0]
    const current = generateDrizzleJson(SCHEMA, migrated.id)
    expect(
      await generateMigration(migrated, current),
      'run `npm run -w @troupe/database migrations:generate`',
    ).toEqual([])
  })

  it('are applied in order, once, all or none, and refuse a database of a newer program', async () => {
    const driver = pgliteDriver(pglite)
    const first = {
      tag: '0000_a',
      sql: 'create table a (n int);--> statement-breakpoint\ncreate table b (n int);',
    }
    const second = { tag: '0001_b', sql: 'alter table a add column m int;' }
    const broken = { tag: '0002_c', sql: 'create table c (n int);--> statement-breakpoint\nnonsense;' }
    await migrate(driver, [first])
    await migrate(driver, [first])
    await expect(migrate(driver, [first, second, broken])).rejects.toThrow('nonsense')
    expect(
      await driver.execute("select to_regclass('c')::text, count(*) from troupe_migrations", []),
    ).toEqual([[null, 1]])
    await migrate(driver, [first, second])
    await expect(migrate(driver, [first])).rejects.toThrow(
      'This database was upgraded by a newer Troupe (to 0001_b; this program knows 0000_a).',
    )
    await expect(migrate(driver, [first, { ...second, tag: '0001_other' }])).rejects.toThrow(
      'other migrations',
    )
  })
})
