import { MAX_LOSSES } from '@troupe/durable-work'
import { type Placeholders, statement } from '../sql/client/statement.ts'
import { also, oneOf, type TurnTable } from './turn-table.ts'

type TakeOverParameter = 'runId' | 'workerId' | 'leaseSeconds'
type ClaimParameter = TakeOverParameter | 'slice'

/** The text of each table's claim. */
function claimed(
  { table, claim }: TurnTable,
  p: Placeholders<TakeOverParameter>,
  turn: string,
  which: string,
): string {
  const { assignments, join, returned } = claim
  return `
update ${table} t set status = 'running', worker_id = ${p.workerId},
  lease_until = now() + make_interval(secs => ${p.leaseSeconds}::float8),
  dispatch_due_at = null, started_at = coalesce(t.started_at, now())${turn}${assignments}
${join ? `from ${join.from}` : ''}
where t.id = ${p.runId}::uuid and ${which}${join ? ` and ${join.where}` : ''}
returning ${returned}`
}

/**
 * The compare-and-set of a claim. Of two claims of one slice the second waits for the row,
 * finds a live lease and changes nothing; a claim and a cancel are serialised by the row lock.
 *
 * An expired lease counts as a loss, as in the sweep, and costs a slice: otherwise a process that reclaims
 * its own row would share the fence with its earlier work. The last loss is left to the sweep.
 */
export function claimStatement(table: TurnTable) {
  const lost = '(t.lease_until is not null)::int'
  return statement<ClaimParameter>(`claim_${table.noun}`, (p) =>
    claimed(
      table,
      p,
      `, slice = t.slice + ${lost}, losses = t.losses + ${lost}`,
      `t.slice = ${p.slice}::int and ${also(table.delivered)}${oneOf('t.status', table.statuses.claimable)}
  and (t.lease_until is null or t.lease_until < now() and t.losses < ${MAX_LOSSES - 1})`,
    ),
  )
}

/** The same for a first turn: a row leaves `queued` only once, so there is no earlier worker and no state to read. */
export function firstClaimStatement(table: TurnTable) {
  return statement<ClaimParameter>(`claim_queued_${table.noun}`, (p) =>
    claimed(table, p, '', `t.slice = ${p.slice}::int and ${also(table.delivered)}t.status = 'queued'`),
  )
}

/**
 * A claim of a row that no engine delivers, regardless of slice and lease: the fence of its parent authorises
 * it. It takes a new slice, so that an earlier worker's writes are refused. `which` is a condition on `t`.
 */
export function takeOverStatement(table: TurnTable, name: string, which: string) {
  const inFlight = oneOf('t.status', table.statuses.inFlight)
  return statement<TakeOverParameter>(name, (p) =>
    claimed(table, p, ', slice = t.slice + 1', `${which} and ${inFlight}`),
  )
}
