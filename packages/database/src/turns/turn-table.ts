import type { Lane } from '@troupe/turns'

/**
 * What differs between the tables whose rows are worked on in turns. The statements of this folder call the table `t`. It
 * has the columns id, status, created_at, slice, losses, worker_id, lease_until, dispatch_due_at and dispatched_at, and
 * the statuses `queued` and `running`.
 */
export interface TurnTable {
  table: string
  lane: Lane
  /** Names the prepared statements: `claim_<noun>`. */
  noun: string
  statuses: {
    /** Of rows that have not ended. */
    inFlight: readonly string[]
    /** Of rows that a later turn may take; a row is `queued` until its first. */
    claimable: readonly string[]
    /** Whose leases are renewed. */
    leased: readonly string[]
    /** In which the sweep finds work. */
    swept: readonly string[]
    /** In which a row rests: it keeps its worker until that lets go, and no delivery is due. */
    resting: readonly string[]
  }
  /** Which rows engines deliver, beside their status: a condition on `t`; null for all. */
  delivered: string | null
  /** Which rows may change hands; the others end with their process. A condition on `t`; null for all. */
  handedOn: string | null
  claim: {
    /** Further assignments, each with a comma before it. */
    assignments: string
    /** The join that the returned columns need, with its condition; null for none. */
    join: { from: string; where: string } | null
    returned: string
  }
  /** From when an engine that took a delivery has time to bring it. */
  dispatchedFrom: string
  sweep: SweptRows
}

/** How the sweep ends rows of a table. Messages of `held` rows may use $1 and $2: seconds of dispatch and of queueing. */
export interface SweptRows {
  /** SQL of the message of a row that no engine took. */
  undispatched: string
  /** SQL of the message of a row that no worker started. */
  notStarted: string
  /** When a row in flight is long past its own limit, and the message; null where rows have none. */
  overdue: { when: string; message: string } | null
  /** SQL of the message of a `held` row that lost its worker for the last time. */
  lostForGood: string
  /** Queries over `held` that `lostForGood` reads, followed by a comma; empty for none. */
  blame: string
  /** The assignments of an end, from `judged` (verdict, message). */
  end: string
  /** The columns of `t` that `ended` gives to `followUps`. */
  ended: string
  /** Queries over `ended`: what hangs on an end. One is named `announced` and is read by the statement. */
  followUps: string
}

/** A condition on a column: one of these texts. */
export function oneOf(column: string, values: readonly string[]): string {
  return `${column} in (${values.map((value) => `'${value}'`).join(', ')})`
}

/** `condition and `, or nothing. */
export function also(condition: string | null): string {
  return condition === null ? '' : `${condition} and `
}
