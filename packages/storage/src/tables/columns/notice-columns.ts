import { integer, text } from 'drizzle-orm/pg-core'
import { document, moment } from './column-types.ts'

/** The outbox of notifications about a pending decision: the remaining recipients, and their link. */
export function noticeColumns() {
  return {
    /** `{emails, webhookUrl}`: recipients that have not been notified yet. */
    notify: document('notify').notNull(),
    /** SHA-256 of the token in the link, hex. After the end of the decision, the token only shows the result. */
    tokenHash: text('token_hash').unique(),
    /** The sealed token, kept until every notification is sent or the decision is made. */
    tokenSealed: text('token_sealed'),
    /** When the next notification attempt is due; null if nothing is left to send. */
    notifyDueAt: moment('notify_due_at'),
    notifyAttempts: integer('notify_attempts').notNull().default(0),
  }
}
