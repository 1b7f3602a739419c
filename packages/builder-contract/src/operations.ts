import { getOrganizationForBuilder } from './organization/get-organization.ts'
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
import { getBuilderSession } from './session/get-session.ts'
import { signInToBuilder } from './session/sign-in.ts'
import { signOutOfBuilder } from './session/sign-out.ts'

/** Operations on one organization, for its members and the operator, by their ids. */
export const BUILDER_OPERATIONS = {
  getOrganization: getOrganizationForBuilder,
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

/** Operations of people on their own account and session, by their ids. */
export const PERSON_OPERATIONS = {
  getSession: getBuilderSession,
  signIn: signInToBuilder,
  signOut: signOutOfBuilder,
} as const

/** An operation on one organization. */
export type BuilderOperationId = keyof typeof BUILDER_OPERATIONS
