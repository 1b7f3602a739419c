import { integer, text } from 'drizzle-orm/pg-core'
import { document, moment } from './column-types.ts'

/** The outbox of a question to people: who is still to be told, and the link that they get. */
export function noticeColumns() {
  return {
    /** `{emails, webhookUrl}`: recipients that have not been notified yet. */
    notify: document('notify').notNull(),
    /** SHA-256 of the token in the link, hex. Once the question is over, the token only shows the verdict. */
    tokenHash: text('token_hash').unique(),
    /** The sealed token, kept until every notification is sent or the question is over. */
    tokenSealed: text('token_sealed'),
    /** When the next notification attempt is due; null when nothing is left to send. */
    notifyDueAt: moment('notify_due_at'),
    notifyAttempts: integer('notify_attempts').notNull().default(0),
  }
}
