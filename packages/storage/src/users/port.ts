import type { UserId } from '@troupe/contract'

/** A user: one account for every organization of the deployment. */
export interface UserRecord {
  id: UserId
  name: string
  /** In lower case. */
  email: string
  /** Whether the user has proven access to this mailbox, or the operator vouches for it. */
  emailVerified: boolean
}

/** A link for choosing a new password; each user has at most one. */
export interface PasswordReset {
  userId: UserId
  /** Whether the link was sent only to the user's address: using it then proves access to that mailbox. */
  mailed: boolean
  expiresAt: Date
}

/**
 * Users belong to the deployment: these reads are not scoped to an organization and must never answer a
 * tenant's request.
 */
export interface UserReader {
  /** Case-insensitive. */
  byEmail(email: string): Promise<UserRecord | null>
  /** The salted hash of the password; null for a user without one. */
  passwordOf(id: UserId): Promise<string | null>
  /** The user of the reset with this token, including expired ones. */
  resetByTokenHash(tokenHash: string): Promise<(UserRecord & Omit<PasswordReset, 'userId'>) | null>
}

export interface UserWriter {
  /** Throws SqlError 23505 when the e-mail address is taken. */
  insert(user: UserRecord & { passwordHash: string }): Promise<void>
  update(user: Pick<UserRecord, 'id' | 'name' | 'emailVerified'>): Promise<void>
  /** Throws when there is no such user. */
  rename(id: UserId, name: string): Promise<void>
  /**
   * Sets the password, ends every session of the user and deletes the user's reset.
   *
   * @param before the hash that must still be stored; absent: any
   * @returns false, and nothing is changed, when another hash is stored than `before`
   */
  setPassword(id: UserId, passwordHash: string, before?: string): Promise<boolean>
  /** Inserts the reset, replacing an earlier one of the user, whose link becomes invalid. */
  putReset(reset: PasswordReset & { tokenHash: string }): Promise<void>
  /** Deletes the reset; false if another caller has already done so, or has replaced it. */
  takeReset(tokenHash: string): Promise<boolean>
}

/** The sign-in tables by the names that `better-auth` uses. */
export type SignInModel = 'user' | 'account' | 'session' | 'verification'

/** A row keyed by camelCase column names; timestamps are dates. */
export type SignInRow = Record<string, unknown>

/** A comparison operator that {@link SignInRows} supports. */
export type SignInOperator = 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte' | 'in' | 'not_in'

/** One comparison. All comparisons joined by `AND` must hold, and at least one of those joined by `OR`. */
export interface SignInCondition {
  field: string
  operator: SignInOperator
  value: unknown
  connector: 'AND' | 'OR'
}

/**
 * Rows of users, accounts and sign-in sessions for the sign-in library, which builds its own queries; all
 * other code uses readers and writers. Throws for an unknown model, field or operator.
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
