import type { AuditEntry, Transaction } from '@troupe/storage'

/** Options of a change of an agent or a team. */
export interface ChangeOptions<T> {
  /** Whether the configuration replaces the stored one instead of being merged onto it; false when absent. */
  replace?: boolean
  /** Called under the row lock, before anything is written; throws to refuse the change. */
  check?: (before: T, tx: Pick<Transaction, 'versions' | 'write'>) => void | Promise<void>
  /** For the audit log; `agent.updated` or `team.updated` when absent. */
  action?: AuditEntry['action']
}
