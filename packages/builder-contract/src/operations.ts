import { getOrganizationForBuilder } from './organization/get-organization.ts'
import { getBuilderSession } from './session/get-session.ts'
import { signInToBuilder } from './session/sign-in.ts'
import { signOutOfBuilder } from './session/sign-out.ts'
import { getDeliveryForBuilder, listDeliveriesForBuilder } from './triggers/deliveries.ts'
import { getFormForBuilder, rotateFormTokenForBuilder } from './triggers/form.ts'
import { listSchedulesForBuilder } from './triggers/schedules.ts'
import {
  getWebhookForBuilder,
  revealWebhookForBuilder,
  rotateWebhookSecretForBuilder,
  rotateWebhookTokenForBuilder,
} from './triggers/webhook.ts'
import {
  createWorkflowForBuilder,
  deleteWorkflowForBuilder,
  getWorkflowForBuilder,
  listWorkflowsForBuilder,
  updateWorkflowForBuilder,
} from './workflows/manage-workflows.ts'
import {
  publishWorkflowForBuilder,
  unpublishWorkflowForBuilder,
  validateWorkflowForBuilder,
} from './workflows/publish-workflow.ts'
import {
  describeWorkflowVersionForBuilder,
  getWorkflowVersionForBuilder,
  listWorkflowVersionsForBuilder,
  restoreWorkflowVersionForBuilder,
} from './workflows/workflow-versions.ts'

/** Operations on one organization, for its members and the operator, by their ids. */
export const BUILDER_OPERATIONS = {
  getOrganization: getOrganizationForBuilder,
  listWorkflows: listWorkflowsForBuilder,
  createWorkflow: createWorkflowForBuilder,
  getWorkflow: getWorkflowForBuilder,
  updateWorkflow: updateWorkflowForBuilder,
  deleteWorkflow: deleteWorkflowForBuilder,
  validateWorkflow: validateWorkflowForBuilder,
  publishWorkflow: publishWorkflowForBuilder,
  unpublishWorkflow: unpublishWorkflowForBuilder,
  listWorkflowVersions: listWorkflowVersionsForBuilder,
  getWorkflowVersion: getWorkflowVersionForBuilder,
  describeWorkflowVersion: describeWorkflowVersionForBuilder,
  restoreWorkflowVersion: restoreWorkflowVersionForBuilder,
  getWebhook: getWebhookForBuilder,
  revealWebhook: revealWebhookForBuilder,
  rotateWebhookSecret: rotateWebhookSecretForBuilder,
  rotateWebhookToken: rotateWebhookTokenForBuilder,
  getHostedForm: getFormForBuilder,
  rotateFormToken: rotateFormTokenForBuilder,
  listSchedules: listSchedulesForBuilder,
  listDeliveries: listDeliveriesForBuilder,
  getDelivery: getDeliveryForBuilder,
} as const

/** Operations of people on their own account and session, by their ids. */
export const PERSON_OPERATIONS = {
  getSession: getBuilderSession,
  signIn: signInToBuilder,
  signOut: signOutOfBuilder,
} as const

/** An operation on one organization. */
export type BuilderOperationId = keyof typeof BUILDER_OPERATIONS
