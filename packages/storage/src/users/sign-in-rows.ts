import {
  and,
  asc,
  type Column,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  notInArray,
  or,
  type SQL,
} from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Drizzle } from '../tables/drizzle/drizzle.ts'
import { signInSessions, userAccounts, users, verifications } from '../tables/tenants/users.ts'
import type { SignInCondition, SignInModel, SignInOperator, SignInRows } from './port.ts'

const TABLES = {
  user: users,
  account: userAccounts,
  session: signInSessions,
  verification: verifications,
} as const satisfies Record<SignInModel, PgTable>

const OPERATORS = {
  eq: (column: Column, value: unknown) => (value === null ? isNull(column) : eq(column, value)),
  ne: (column: Column, value: unknown) => (value === null ? isNotNull(column) : ne(column, value)),
  lt,
  lte,
  gt,
  gte,
  in: (column: Column, value: unknown) => inArray(column, listOf(value)),
  not_in: (column: Column, value: unknown) => notInArray(column, listOf(value)),
} satisfies Record<SignInOperator, (column: Column, value: unknown) => SQL>

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error('a sign-in condition compares with a list here')
  return value
}

export function signInRows(db: Drizzle): SignInRows {
  return {
    async create(model, row) {
      const [created] = await db.insert(tableOf(model)).values(row).returning()
      if (!created) throw new Error('an insert without a row')
      return created
    },
    async find(model, where, { limit = 100, offset = 0, sortBy } = {}) {
      const table = tableOf(model)
      const found = db.select().from(table).where(conditionOf(table, where)).$dynamic()
      if (sortBy) {
        const column = columnOf(table, sortBy.field)
        found.orderBy(sortBy.direction === 'desc' ? desc(column) : asc(column))
      }
      return found.limit(limit).offset(offset)
    },
    async update(model, where, changes) {
      const table = tableOf(model)
      return db.update(table).set(changes).where(conditionOf(table, where)).returning()
    },
    async delete(model, where) {
      const table = tableOf(model)
      return db.delete(table).where(conditionOf(table, where)).returning()
    },
    async count(model, where) {
      const table = tableOf(model)
      const [row] = await db.select({ rows: count() }).from(table).where(conditionOf(table, where))
      return row?.rows ?? 0
    },
  }
}

function tableOf(model: SignInModel): PgTable {
  const table = Object.hasOwn(TABLES, model) ? TABLES[model] : undefined
  if (!table) throw new Error(`there is no sign-in table "${model}"`)
  return table
}

function columnOf(table: PgTable, field: string): Column {
  const columns = getTableColumns(table)
  const column = Object.hasOwn(columns, field) ? columns[field] : undefined
  if (!column) throw new Error(`the sign-in table has no column "${field}"`)
  return column
}

/** An empty condition would match the rows of every user, which is never intended. */
function conditionOf(table: PgTable, where: readonly SignInCondition[]): SQL {
  const of = (connector: SignInCondition['connector']) =>
    where
      .filter((one) => one.connector === connector)
      .map(({ field, operator, value }) => {
        const compare = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined
        if (!compare) throw new Error(`there is no sign-in operator "${operator}"`)
        return compare(columnOf(table, field), value)
      })
  const condition = and(...of('AND'), or(...of('OR')))
  if (!condition) throw new Error('sign-in rows are never asked for without a condition')
  return condition
}
