import {
  and,
  asc,
  type Column,
  count,
  desc,
  eq,
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
import { signInSessions, userAccounts, users, verifications } from '../schema/users.ts'
import type { Drizzle } from '../sql/drizzle.ts'

const TABLES = {
  user: users,
  account: userAccounts,
  session: signInSessions,
  verification: verifications,
} as const satisfies Record<string, PgTable>

/** The tables of people by the names that `better-auth` has for them. */
export type SignInModel = keyof typeof TABLES

/** A row by column names in camelCase; moments are dates. */
export type SignInRow = Record<string, unknown>

const OPERATORS = {
  eq: (column: Column, value: unknown) => (value === null ? isNull(column) : eq(column, value)),
  ne: (column: Column, value: unknown) => (value === null ? isNotNull(column) : ne(column, value)),
  lt,
  lte,
  gt,
  gte,
  in: (column: Column, value: unknown) => inArray(column, value as unknown[]),
  not_in: (column: Column, value: unknown) => notInArray(column, value as unknown[]),
}

/** A comparison that {@link SignInRows} makes. */
export type SignInOperator = keyof typeof OPERATORS

/** One comparison. Those joined by `AND` all hold, and of those joined by `OR` at least one. */
export interface SignInCondition {
  field: string
  operator: SignInOperator
  value: unknown
  connector: 'AND' | 'OR'
}

/**
 * Rows of people, accounts and sign-in sessions, for the library that signs people in: it brings its own queries.
 * Everything else goes through readers and writers. Throws for a model, field or operator that is not there.
 */
export interface SignInRows {
  create(model: SignInModel, row: SignInRow): Promise<SignInRow>
  find(
    model: SignInModel,
    where: readonly SignInCondition[],
    page?: {
      limit?: number
      offset?: number
      sortBy?: { field: string; direction: 'asc' | 'desc' } | undefined
    },
  ): Promise<SignInRow[]>
  /** @returns the changed rows */
  update(model: SignInModel, where: readonly SignInCondition[], changes: SignInRow): Promise<SignInRow[]>
  /** @returns the deleted rows */
  delete(model: SignInModel, where: readonly SignInCondition[]): Promise<SignInRow[]>
  count(model: SignInModel, where: readonly SignInCondition[]): Promise<number>
}

export function signInRows(db: Drizzle): SignInRows {
  return {
    async create(model, row) {
      const [created] = await db.insert(tableOf(model)).values(row).returning()
      return created as SignInRow
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
      return (await db.update(table).set(changes).where(conditionOf(table, where)).returning()) as SignInRow[]
    },
    async delete(model, where) {
      const table = tableOf(model)
      return (await db.delete(table).where(conditionOf(table, where)).returning()) as SignInRow[]
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
  const column = Object.hasOwn(table, field) ? (table as unknown as Record<string, Column>)[field] : undefined
  if (!column) throw new Error(`the sign-in table has no column "${field}"`)
  return column
}

/** No condition at all would mean every row of everybody: that is never meant. */
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
