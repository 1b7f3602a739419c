import { MAX_LOSSES } from '@troupe/turns'
import type { Statement } from '../sql/sql-client.ts'
import { also, oneOf, type TurnTable } from './turn-table.ts'

/** What every claim writes. $1 is the row, $2 the worker, $3 the seconds of its lease. */
function claimed({ table, claim }: TurnTable, turn: string, which: string): string {
  const { assignments, join, returned } = claim
  return `
update ${table} t set status = 'running', worker_id = $2, lease_until = now() + make_interval(secs => $3::float8),
  dispatch_due_at = null, started_at = coalesce(t.started_at, now())${turn}${assignments}
${join ? `from ${join.from}` : ''}
where t.id = $1::uuid and ${which}${join ? ` and ${join.where}` : ''}
returning ${returned}`
}

/**
 * The compare-and-set of a claim; $4 is the slice. Of two claims of one slice the second waits for the row, finds a living
 * lease and changes nothing; a claim against a cancel finds whichever came first.
 *
 * A lease that has run out is a loss, as the sweep counts it, and costs the turn: otherwise a process that takes a row
 * back from itself would share the fence with what it was doing before. The last loss is the sweep's.
 */
export function claimStatement(table: TurnTable): Statement {
  const lost = '(t.lease_until is not null)::int'
  return {
    name: `claim_${table.noun}`,
    text: claimed(
      table,
      `, slice = t.slice + ${lost}, losses = t.losses + ${lost}`,
      `t.slice = $4::int and ${also(table.delivered)}${oneOf('t.status', table.statuses.claimable)}
  and (t.lease_until is null or t.lease_until < now() and t.losses < ${MAX_LOSSES - 1})`,
    ),
  }
}

/** The same for a first turn: a row leaves `queued` once, so no worker had it before and it has left nothing to read. */
export function firstClaimStatement(table: TurnTable): Statement {
  return {
    name: `claim_queued_${table.noun}`,
    text: claimed(table, '', `t.slice = $4::int and ${also(table.delivered)}t.status = 'queued'`),
  }
}

/**
 * A claim of a row that no engine delivers, whatever its slice and its lease: somebody else's fence decides who may. Only
 * the slice is taken, so that an earlier worker's writes are refused. `which` is a condition on `t`.
 */
export function takeOverStatement(table: TurnTable, name: string, which: string): Statement {
  const inFlight = oneOf('t.status', table.statuses.inFlight)
  return { name, text: claimed(table, ', slice = t.slice + 1', `${which} and ${inFlight}`) }
}
