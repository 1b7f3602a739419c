import { streamEventsForBuilder } from './events/stream-events.ts'
import { getDayForBuilder } from './home/get-day.ts'
import { getHomeForBuilder } from './home/get-home.ts'
import {
  decideReviewForBuilder,
  getApprovalForBuilder,
  getReviewForBuilder,
  listApprovalsForBuilder,
  listReviewsForBuilder,
  resolveApprovalForBuilder,
} from './reviews/operations.ts'
import {
  cancelRunForBuilder,
  pauseRunForBuilder,
  rerunForBuilder,
  resumeRunForBuilder,
} from './runs/change-run.ts'
import { getRunForBuilder } from './runs/get-run.ts'
import { getRunPromptForBuilder } from './runs/get-run-prompt.ts'
import { listRunCausesForBuilder } from './runs/list-run-causes.ts'
import { listRunsForBuilder } from './runs/list-runs.ts'
import { getRunNodeForBuilder, listRunNodesForBuilder, previewRunNodesForBuilder } from './runs/nodes.ts'
import { runHistogramForBuilder } from './runs/run-histogram.ts'
import { streamRunForBuilder } from './runs/stream-run.ts'
import { searchForBuilder } from './search/search.ts'
import { getRunSessionForBuilder, listSessionsForBuilder } from './sessions/operations.ts'
import { getUsageForBuilder } from './usage/get-usage.ts'
import { listVoiceSessionsForBuilder } from './voice-sessions/operations.ts'

/** Activity of an organization, and actions of people on it. */
export const OBSERVATION_OPERATIONS = {
  listRuns: listRunsForBuilder,
  getRun: getRunForBuilder,
  getRunPrompt: getRunPromptForBuilder,
  listRunNodes: listRunNodesForBuilder,
  getRunNode: getRunNodeForBuilder,
  previewRunNodes: previewRunNodesForBuilder,
  streamRun: streamRunForBuilder,
  cancelRun: cancelRunForBuilder,
  pauseRun: pauseRunForBuilder,
  resumeRun: resumeRunForBuilder,
  rerun: rerunForBuilder,
  listRunCauses: listRunCausesForBuilder,
  runHistogram: runHistogramForBuilder,
  listSessions: listSessionsForBuilder,
  getRunSession: getRunSessionForBuilder,
  listVoiceSessions: listVoiceSessionsForBuilder,
  listReviews: listReviewsForBuilder,
  getReview: getReviewForBuilder,
  decideReview: decideReviewForBuilder,
  listApprovals: listApprovalsForBuilder,
  getApproval: getApprovalForBuilder,
  resolveApproval: resolveApprovalForBuilder,
  getUsage: getUsageForBuilder,
  getHome: getHomeForBuilder,
  getDay: getDayForBuilder,
  search: searchForBuilder,
  streamEvents: streamEventsForBuilder,
} as const

/** An operation of operating and observing. */
export type ObservationOperationId = keyof typeof OBSERVATION_OPERATIONS
