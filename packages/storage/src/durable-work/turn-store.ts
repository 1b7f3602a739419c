import type { AnyRunId } from '@troupe/contract'
import type { TurnStore } from '@troupe/durable-work'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { dispatched, endedTurns, renewLeases } from './leases.ts'
import { recoverTable, sweepTable } from './sweep.ts'
import type { TurnTable } from './turn-table.ts'

/**
 * The protocol's statements on one table, except the claim, whose result differs per table. Every change of
 * owner is one statement of hand-written SQL.
 */
export function turnStore<Id extends AnyRunId>(
  client: SqlClient,
  table: TurnTable,
): Omit<TurnStore<Id, unknown>, 'claim'> {
  return {
    renewLeases: renewLeases<Id>(client, table),
    ended: endedTurns<Id>(client, table),
    dispatched: dispatched(client, table),
    sweep: sweepTable(client, table),
    recover: recoverTable(client, table),
  }
}
