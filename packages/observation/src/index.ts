import type { SqlClient } from '@troupe/sql'
import type { Observation } from './port/observation.ts'
import { findObservedRun } from './runs/find-run.ts'
import { findObservedNode, pageObservedNodes } from './runs/node-list.ts'
import { pageRuns } from './runs/page-runs.ts'

export type * from './port/observation.ts'

/** What people see of runs, over hand-written SQL. */
export function observation(client: SqlClient): Observation {
  return {
    runs: pageRuns(client),
    run: findObservedRun(client),
    nodes: pageObservedNodes(client),
    node: findObservedNode(client),
  }
}
