import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { messages, type PGlite, protocol } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest'
import { knownMigrations } from '../src/known-migrations.ts'
import {
  type Column,
  type ColumnKind,
  type Columns,
  json,
  nullable,
  number,
  text,
  timestamp,
} from '../src/sql/client/columns.ts'
import type { Statement } from '../src/sql/client/sql-client.ts'
import { type RowOf, statement } from '../src/sql/client/statement.ts'
import { migrate } from '../src/sql/migrate/migrate.ts'
import { type BarePglite, startBarePglite } from '../src/sql/testing/bare-pglite.ts'
import { drizzleOver } from '../src/tables/drizzle/drizzle.ts'
import { expression } from '../src/tables/drizzle/expression.ts'
import { observedDriver } from '../src/testing/observed-driver.ts'

// Every hand-written statement is prepared against the migrated schema. Its declared columns must have the names, types
// and nullability that PostgreSQL describes. The nullability of an expression and of the nullable side of an outer join is
// not in the catalogue: there, `observedDriver` refuses a null that the statement does not declare.

/** A result column as PostgreSQL describes it. */
interface Described {
  name: string
  type: number
  /** null for an expression. */
  isNotNull: boolean | null
}

const TYPES: Readonly<Record<ColumnKind, readonly number[]>> = {
  uuid: [2950],
  text: [25, 1043],
  number: [20, 21, 23, 701, 1700],
  boolean: [16],
  timestamp: [1184],
  json: [114, 3802],
  integers: [1007],
}

/** The type of a function that returns nothing, for example `pg_notify`. */
const VOID = 2278

const { serialize } = protocol

/** The result columns of a text; throws PostgreSQL's error for one that it cannot prepare. */
async function describeText(
  pglite: PGlite,
  notNull: ReadonlySet<string>,
  text: string,
): Promise<Described[]> {
  const parts = [serialize.parse({ text }), serialize.describe({ type: 'S' }), serialize.sync()]
  const answer = await pglite.execProtocolStream(Buffer.concat(parts), { throwOnError: false })
  const failure = answer.find((message) => message instanceof messages.DatabaseError)
  if (failure) throw failure
  const row = answer.find((message) => message instanceof messages.RowDescriptionMessage)
  const fields = (row?.fields ?? []).filter(({ dataTypeID }) => dataTypeID !== VOID)
  return fields.map(({ name, dataTypeID, tableID, columnID }) => ({
    name,
    type: dataTypeID,
    isNotNull: tableID === 0 ? null : notNull.has(`${tableID}.${columnID}`),
  }))
}

const OUTER_JOIN = /\b(?:left|right|full)\s+(?:outer\s+)?join\b/i

/** The reason for which a declared column does not match the described one; null if it does. */
function misfit(text: string, described: Described, declared: Column<unknown> | undefined): string | null {
  const { name, type, isNotNull } = described
  if (!declared) return `${name} is not declared`
  if (!TYPES[declared.kind].includes(type))
    return `${name} is declared as ${declared.kind}, but has the type ${type}`
  if (isNotNull === false && declared.nulls === 'none') {
    return `${name} can be null in its table: declare nullable(), or notNull() if the statement excludes null`
  }
  if (isNotNull && declared.nulls === 'excluded')
    return `${name} is never null in its table: notNull() is superfluous`
  if (isNotNull && declared.nulls === 'possible' && !OUTER_JOIN.test(text))
    return `${name} is never null in its table`
  return null
}

function misfits(text: string, described: readonly Described[], declared: Columns): string[] {
  const names = new Set(described.map(({ name }) => name))
  return [
    ...described.flatMap((one) => misfit(text, one, declared[one.name]) ?? []),
    ...Object.keys(declared).flatMap((name) =>
      names.has(name) ? [] : `${name} is declared and not returned`,
    ),
  ]
}

/**
 * All statements of the program, collected in a separate process, because earlier test files in this one created
 * others. Some statements only exist once the stores and the writers of a transaction are created.
 */
async function madeStatements(): Promise<Statement<unknown>[]> {
  const source = (file: string) => JSON.stringify(new URL(`../src/${file}`, import.meta.url).href)
  const script = `
    import { madeStatements } from ${source('sql/client/statement.ts')}
    import { openReusedDatabase } from ${source('testing/reused-database.ts')}
    await using database = await openReusedDatabase()
    await database.transaction(async () => {})
    process.stdout.write(JSON.stringify([...madeStatements.values()]))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    maxBuffer: 2 ** 26,
  })
  return JSON.parse(stdout)
}

let bare: BarePglite
let notNull: Set<string>
let made: Statement<unknown>[]

beforeAll(async () => {
  const migrations = await knownMigrations()
  bare = await startBarePglite(null, migrations)
  await migrate(bare.driver, migrations)
  const { rows } = await bare.pglite.query<{ key: string }>(
    `select attrelid || '.' || attnum as key from pg_attribute where attnotnull and attnum > 0`,
  )
  notNull = new Set(rows.map(({ key }) => key))
  made = await madeStatements()
})
afterAll(() => bare.driver[Symbol.asyncDispose]())

test('every declared column has the name, type and nullability of the migrated schema', async () => {
  const wrong: string[] = []
  for (const { name, text, columns, outer } of made) {
    const described = await describeText(bare.pglite, notNull, text)
    if (columns) {
      wrong.push(...misfits(text, described, { ...columns, ...outer }).map((why) => `${name}: ${why}`))
    }
  }
  expect(wrong).toEqual([])
})

test('no statement returns columns without declaring them', async () => {
  const undeclared: string[] = []
  for (const { name, text, columns } of made) {
    if (!columns && (await describeText(bare.pglite, notNull, text)).length > 0) undeclared.push(name)
  }
  expect(undeclared).toEqual([])
})

test('every statement is made by statement()', () => {
  const SRC = join(import.meta.dirname, '../src')
  const byHand = globSync('**/*.ts', { cwd: SRC, exclude: ['**/*.test.ts'] }).flatMap((file) =>
    [...readFileSync(join(SRC, file), 'utf8').matchAll(/\bname: ['"`](\w+)['"`],\s*text:/g)].map(
      ([, name]) => name,
    ),
  )
  expect(byHand).toEqual([])
})

test('a wrong name, type or nullability is found', async () => {
  const text = `
select a.id, a.slug, a.name as title, v.config, a.created_at from agents a left join agent_versions v on v.agent_id = a.id
where $1::uuid is null`
  const described = await describeText(bare.pglite, notNull, text)
  const column = (kind: ColumnKind, nulls: Column<unknown>['nulls'] = 'none') => ({ kind, nulls })
  const declared = {
    id: column('uuid'),
    slug: column('text', 'possible'),
    title: column('text'),
    config: column('json', 'possible'),
    created_at: column('timestamp'),
  }
  expect(misfits(text, described, declared)).toEqual([])
  const wrong = {
    id: column('uuid', 'excluded'),
    slug: column('text'),
    name: column('text'),
    config: column('text'),
    created_at: column('timestamp'),
  }
  expect(misfits(text, described, wrong)).toEqual([
    'id is never null in its table: notNull() is superfluous',
    'slug can be null in its table: declare nullable(), or notNull() if the statement excludes null',
    'title is not declared',
    'config is declared as text, but has the type 114',
    'name is declared and not returned',
  ])
  const inner = text.replace('left join', 'join')
  expect(misfits(inner, described, declared)).toEqual(['config is never null in its table'])
  await expect(describeText(bare.pglite, notNull, 'select nme from agents')).rejects.toThrow(
    '"nme" does not exist',
  )
})

test('the optional side of an outer join has all its columns or only nulls', async () => {
  const driver = observedDriver(bare.driver)
  const joined = statement<'id' | 'name'>(
    'optional_side',
    (p) => `
select 2 as total, item.* from (select 1) one left join (select ${p.id}::text as id, ${p.name}::text as name, null::text as note) item
  on ${p.id}::text is not null or ${p.name}::text is not null`,
  ).returning({ total: number() }, { id: text(), name: text(), note: nullable(text()) })
  expectTypeOf<RowOf<typeof joined>>().toEqualTypeOf<
    { total: number } & (
      | { id: string; name: string; note: string | null }
      | { id: null; name: null; note: null }
    )
  >()
  const read = (id: string | null, name: string | null) => driver.query(...joined({ id, name }))
  expect(await read(null, null)).toEqual([{ total: 2, id: null, name: null, note: null }])
  expect(await read('7', 'chair')).toEqual([{ total: 2, id: '7', name: 'chair', note: null }])
  await expect(read('7', null)).rejects.toThrow(
    'optional_side: name is null, and is declared to be never null',
  )
})

test('a null that a statement does not declare is refused by the database of the tests', async () => {
  const driver = observedDriver(bare.driver)
  const named = (name: string) => statement(name, () => `select nullif('chair', 'chair') as name`)
  const [undeclared, declared] = [named('undeclared_null'), named('declared_null')]
  const refused = driver.query(...undeclared.returning({ name: text() })({}))
  await expect(refused).rejects.toThrow('undeclared_null: name is null, and is declared to be never null')
  expect(await driver.query(...declared.returning({ name: nullable(text()) })({}))).toEqual([{ name: null }])
})

test('an expression has the type of its column, and another value is refused', async () => {
  const db = drizzleOver(bare.driver)
  const rows = await db
    .select({
      n: expression(number(), sql`n + 1`),
      name: expression(text(), sql`'chair'::text`),
      at: expression(timestamp(), sql`'2026-11-30T00:00:00Z'::timestamptz`),
      legs: expression(json<{ legs: number }>(), sql`'{"legs": 4}'::json`),
    })
    .from(sql`(select 7 as n) pair`)
  expectTypeOf(rows).toEqualTypeOf<{ n: number; name: string; at: Date; legs: { legs: number } }[]>()
  expect(rows).toEqual([{ n: 8, name: 'chair', at: new Date('2026-11-30T00:00:00Z'), legs: { legs: 4 } }])
  const wrong = db.select({ n: expression(number(), sql`n::text`) }).from(sql`(select 7 as n) pair`)
  await expect(wrong).rejects.toThrow('an expression that is declared as number returned a string')
})
