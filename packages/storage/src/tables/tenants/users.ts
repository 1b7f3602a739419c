import type { UserId } from '@troupe/contract'
import { sql } from 'drizzle-orm'
import { boolean, check, index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, freeText, moment } from '../columns/column-types.ts'

/**
 * Users. They belong to the deployment, not to an organization: one account serves all organizations, and
 * memberships grant access. These four tables have the columns that `better-auth` expects.
 */
export const users = pgTable(
  'users',
  {
    id: uuid('id').$type<UserId>().primaryKey(),
    name: freeText('name').notNull(),
    email: text('email').notNull().unique(),
    /** Whether the user has proven access to this mailbox, or the operator vouches for it. */
    emailVerified: boolean('email_verified').notNull(),
    image: text('image'),
    /** The time of the first sign-in; null: never signed in. */
    signedInAt: moment('signed_in_at'),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [check('users_email_lower', sql`${t.email} = lower(${t.email})`)],
)

/** Sign-in methods. The password method is the row whose provider is `credential`. */
export const userAccounts = pgTable(
  'user_accounts',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    providerId: text('provider_id').notNull(),
    /** The user's id at the provider; for `credential`, the user's own id. */
    accountId: text('account_id').notNull(),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: moment('access_token_expires_at'),
    refreshTokenExpiresAt: moment('refresh_token_expires_at'),
    scope: text('scope'),
    /** A salted hash that includes its algorithm and parameters. */
    password: text('password'),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    unique('user_accounts_provider').on(t.providerId, t.accountId),
    index('user_accounts_user').on(t.userId),
  ],
)

/** Sign-in sessions. Deleting a row ends its session in every process immediately. */
export const signInSessions = pgTable(
  'sign_in_sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Random; the cookie holds it together with a signature that is not stored here. */
    token: text('token').notNull().unique(),
    expiresAt: moment('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: freeText('user_agent'),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [index('sign_in_sessions_user').on(t.userId), index('sign_in_sessions_expiry').on(t.expiresAt)],
)

/** Short-lived proofs. A password reset is the row whose id is its user's. */
export const verifications = pgTable(
  'verifications',
  {
    id: uuid('id').primaryKey(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: moment('expires_at').notNull(),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [index('verifications_identifier').on(t.identifier)],
)
