import {
  cancelRunForBuilder,
  pauseRunForBuilder,
  rerunForBuilder,
  resumeRunForBuilder,
} from './runs/change-run.ts'
import { getRunForBuilder } from './runs/get-run.ts'
import { listRunsForBuilder } from './runs/list-runs.ts'
import { getRunNodeForBuilder, listRunNodesForBuilder } from './runs/nodes.ts'
import { streamRunForBuilder } from './runs/stream-run.ts'

/** What happened in an organization, and what people do about it. */
export const OBSERVATION_OPERATIONS = {
  listRuns: listRunsForBuilder,
  getRun: getRunForBuilder,
  listRunNodes: listRunNodesForBuilder,
  getRunNode: getRunNodeForBuilder,
  streamRun: streamRunForBuilder,
  cancelRun: cancelRunForBuilder,
  pauseRun: pauseRunForBuilder,
  resumeRun: resumeRunForBuilder,
  rerun: rerunForBuilder,
} as const

/** An operation of operating and observing. */
export type ObservationOperationId = keyof typeof OBSERVATION_OPERATIONS
