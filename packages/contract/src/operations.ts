import { cancelAgentJob } from './agents/cancel-agent-job.ts'
import { cancelAgentRun } from './agents/cancel-agent-run.ts'
import { createAgent } from './agents/create-agent.ts'
import { getAgent } from './agents/get-agent.ts'
import { getAgentJob } from './agents/get-agent-job.ts'
import { listAgents } from './agents/list-agents.ts'
import { listLlmProviders } from './agents/list-llm-providers.ts'
import { resumeAgentStream } from './agents/resume-agent-stream.ts'
import { runAgent } from './agents/run-agent.ts'
import { runAgentAsync } from './agents/run-agent-async.ts'
import { runAgentStream } from './agents/run-agent-stream.ts'
import { updateAgent } from './agents/update-agent.ts'
import { applyBundle } from './bundles/apply-bundle.ts'
import { exportBundle } from './bundles/export-bundle.ts'
import { getForm } from './forms/get-form.ts'
import { openFormSession } from './forms/open-form-session.ts'
import { submitForm, submitFormShortly } from './forms/submit-form.ts'
import { uploadFormFile } from './forms/upload-form-file.ts'
import { getOrganizationLimits } from './organizations/get-limits.ts'
import { decideReview } from './reviews/decide-review.ts'
import { getReview } from './reviews/get-review.ts'
import { listReviews } from './reviews/list-reviews.ts'
import { cancelTeamJob } from './teams/cancel-team-job.ts'
import { cancelTeamRun } from './teams/cancel-team-run.ts'
import { getTeamJob } from './teams/get-team-job.ts'
import { resumeTeamStream } from './teams/resume-team-stream.ts'
import { runTeamAsync } from './teams/run-team-async.ts'
import { runTeamStream } from './teams/run-team-stream.ts'
import { runTeamSync } from './teams/run-team-sync.ts'
import { triggerWorkflow } from './triggers/trigger-workflow.ts'
import { cancelWorkflowJob } from './workflows/cancel-workflow-job.ts'
import { getWorkflowJob } from './workflows/get-workflow-job.ts'
import { getWorkflowJobResult } from './workflows/get-workflow-job-result.ts'
import { listWorkflowJobNodes } from './workflows/list-workflow-job-nodes.ts'
import { listWorkflowJobReviews } from './workflows/list-workflow-job-reviews.ts'
import { pauseWorkflowJob } from './workflows/pause-workflow-job.ts'
import { resumeWorkflowJob } from './workflows/resume-workflow-job.ts'
import { runWorkflow } from './workflows/run-workflow.ts'
import { runWorkflowAsync } from './workflows/run-workflow-async.ts'

/** Every operation of the public API that takes an API key, by its id. */
export const OPERATIONS = {
  getOrganizationLimits,
  listAgents,
  createAgent,
  listLlmProviders,
  getAgent,
  updateAgent,
  runAgent,
  runAgentStream,
  resumeAgentStream,
  cancelAgentRun,
  runAgentAsync,
  getAgentJob,
  cancelAgentJob,
  runTeamSync,
  runTeamStream,
  resumeTeamStream,
  cancelTeamRun,
  runTeamAsync,
  getTeamJob,
  cancelTeamJob,
  runWorkflow,
  runWorkflowAsync,
  getWorkflowJob,
  cancelWorkflowJob,
  getWorkflowJobResult,
  listWorkflowJobNodes,
  pauseWorkflowJob,
  resumeWorkflowJob,
  listWorkflowJobReviews,
  listReviews,
  getReview,
  decideReview,
} as const

/** The doors of published triggers: public operations that need no API key, by their ids. */
export const TRIGGER_OPERATIONS = {
  triggerWorkflow,
  getForm,
  openFormSession,
  submitForm,
  submitFormShortly,
  uploadFormFile,
} as const

/** Every operation for the operator of a deployment (admin token), by its id. Not part of the public contract. */
export const OPERATOR_OPERATIONS = { applyBundle, exportBundle } as const

/** The id of a public operation. */
export type OperationId = keyof typeof OPERATIONS
/** The id of an operation of a trigger. */
export type TriggerOperationId = keyof typeof TRIGGER_OPERATIONS
