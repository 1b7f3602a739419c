import type { SqlClient } from '@troupe/sql'
import type { Observation } from './port.ts'
import { findObservedRun } from './runs/find-run.ts'
import { listRuns } from './runs/list-runs.ts'
import { findObservedNode, pageObservedNodes } from './runs/node-list.ts'

export type * from './port.ts'

/** What people see of runs, over hand-written SQL. */
export function observation(client: SqlClient): Observation {
  return {
    runs: listRuns(client),
    run: findObservedRun(client),
    nodes: pageObservedNodes(client),
    node: findObservedNode(client),
  }
}
