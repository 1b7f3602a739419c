import { MEMBER_ROLES, type UserId } from '@troupe/contract'
import { boolean, index, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, organizationId } from '../columns/column-types.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

/** The members of an organization. */
export const members = pgTable(
  'members',
  {
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text('role', { enum: MEMBER_ROLES }).notNull(),
    status: text('status', { enum: ['active', 'suspended'] }).notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.userId] }), index('members_user').on(t.userId)],
)

/** Open invitations: accepting or withdrawing one deletes its row. One per address and organization. */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    /** In lower case. */
    email: text('email').notNull(),
    role: text('role', { enum: MEMBER_ROLES }).notNull(),
    /** SHA-256 of the token in the link, hex. */
    tokenHash: text('token_hash').notNull().unique(),
    /** Whether the link was sent only to the address: opening it then proves access to that mailbox. */
    mailed: boolean('mailed').notNull(),
    createdAt: createdAt(),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [unique('invitations_address').on(t.organizationId, t.email)],
)
