import type { Lane } from '@troupe/durable-work'
import type { TableName } from '../tables/table-name.ts'

/**
 * The differences between the tables whose rows are processed in turns. The statements of this folder call
 * the table `t`. It has the columns id, status, created_at, slice, losses, worker_id, lease_until,
 * dispatch_due_at and dispatched_at, and the statuses `queued` and `running`.
 */
export interface TurnTable {
  table: TableName
  lane: Lane
  /** Names the prepared statements: `claim_<noun>`. */
  noun: string
  statuses: {
    /** Rows that have not ended. */
    inFlight: readonly string[]
    /** Rows that a later turn may claim; a row is `queued` until its first. */
    claimable: readonly string[]
    /** Rows whose leases are renewed. */
    leased: readonly string[]
    /** Rows that the sweep examines. */
    swept: readonly string[]
    /** Resting rows: the worker keeps the row until it releases it, and no delivery is due. */
    resting: readonly string[]
  }
  /** The rows that engines deliver, in addition to their status: a condition on `t`; null for all. */
  delivered: string | null
  /**
   * The rows that wait until their due time without an owner; a boot does not make them due earlier. A condition on
   * `t`; null for none.
   */
  waits: string | null
  /** The rows that may change owner; the others end with their process. A condition on `t`; null for all. */
  handedOn: string | null
  claim: {
    /** Further assignments, each with a comma before it. */
    assignments: string
    /** The join that the returned columns need, with its condition; null for none. */
    join: { from: string; where: string } | null
    returned: string
  }
  sweep: SweptRows
}

/** How the sweep ends rows of a table. Messages are SQL; limits are placeholders of numbers in seconds. */
export interface SweptRows {
  /** The message of a row that no engine accepted. */
  undispatched: (dispatchSeconds: string) => string
  /** The message of a row that no worker started. */
  notStarted: (queueSeconds: string) => string
  /**
   * The condition of a row in flight far past its own limit, and the message; null for tables without a
   * limit.
   */
  overdue: { when: string; message: string } | null
  /** The SQL for the message of a `held` row that lost its worker for the last time. */
  lostForGood: string
  /** Queries over `held` that `lostForGood` reads, followed by a comma; empty for none. */
  blame: string
  /** The assignments of an end, from `judged` (verdict, message). */
  end: string
  /** The columns of `t` that `ended` returns for `followUps`. */
  ended: string
  /**
   * Queries over `ended` that write dependent rows. One is named `announced` and is read by the statement.
   */
  followUps: string
}

/** A condition that a column equals one of these texts. */
export function oneOf(column: string, values: readonly string[]): string {
  return `${column} in (${values.map((value) => `'${value}'`).join(', ')})`
}

/** `condition and `, or nothing. */
export function also(condition: string | null): string {
  return condition === null ? '' : `${condition} and `
}
