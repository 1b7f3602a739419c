import type { UserId } from '@troupe/contract'

/** A person: one account for every organization of the deployment. */
export interface UserRecord {
  id: UserId
  name: string
  /** In lower case. */
  email: string
  /** Whether the person has shown to read this mailbox, or the operator vouches for it. */
  emailVerified: boolean
}

/** People belong to the deployment: these reads name nobody's organization, and never answer a tenant's request. */
export interface UserReader {
  /** In any case. */
  byEmail(email: string): Promise<UserRecord | null>
  /** The salted hash of the password; null for a person who has none. */
  passwordOf(id: UserId): Promise<string | null>
}

export interface UserWriter {
  /** Throws SqlError 23505 when the e-mail address is taken. */
  insert(user: UserRecord & { passwordHash: string }): Promise<void>
  update(user: Pick<UserRecord, 'id' | 'name' | 'emailVerified'>): Promise<void>
  /** Sets the password and signs the person out everywhere. */
  setPassword(id: UserId, passwordHash: string): Promise<void>
}

/** The tables of people by the names that `better-auth` has for them. */
export type SignInModel = 'user' | 'account' | 'session' | 'verification'

/** A row by column names in camelCase; moments are dates. */
export type SignInRow = Record<string, unknown>

/** A comparison that {@link SignInRows} makes. */
export type SignInOperator = 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte' | 'in' | 'not_in'

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
