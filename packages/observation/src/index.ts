import type { SqlClient } from '@troupe/sql'
import type { Observation } from './port.ts'
import { listRuns } from './runs/list-runs.ts'

export type * from './port.ts'

/** What people see of runs, over hand-written SQL. */
export function observation(client: SqlClient): Observation {
  return { runs: listRuns(client) }
}
