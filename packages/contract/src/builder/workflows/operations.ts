import { getDeliveryForBuilder, listDeliveriesForBuilder } from '../triggers/deliveries.ts'
import { getFormForBuilder, rotateFormTokenForBuilder, setFormPasswordForBuilder } from '../triggers/form.ts'
import {
  getListenerCallForBuilder,
  listListenersForBuilder,
  revealListenerForBuilder,
  startListenerForBuilder,
  stopListenerForBuilder,
} from '../triggers/listeners.ts'
import { listSchedulesForBuilder } from '../triggers/schedules.ts'
import {
  getWebhookForBuilder,
  revealWebhookForBuilder,
  rotateWebhookSecretForBuilder,
  rotateWebhookTokenForBuilder,
} from '../triggers/webhook.ts'
import {
  getDraftRevisionForBuilder,
  keepDraftForBuilder,
  listWorkflowTimelineForBuilder,
} from './draft-history.ts'
import { importWorkflowForBuilder } from './import-workflow.ts'
import {
  createWorkflowForBuilder,
  deleteWorkflowForBuilder,
  getWorkflowForBuilder,
  listWorkflowsForBuilder,
  undeleteWorkflowForBuilder,
  updateWorkflowForBuilder,
} from './manage-workflows.ts'
import { listPinsForBuilder, removePinForBuilder, setPinForBuilder } from './pins.ts'
import { sharePresenceForBuilder } from './presence.ts'
import { previewFormForBuilder } from './preview-form.ts'
import { previewPublishForBuilder } from './preview-publish.ts'
import {
  publishWorkflowForBuilder,
  unpublishWorkflowForBuilder,
  validateWorkflowForBuilder,
} from './publish-workflow.ts'
import { runWorkflowForBuilder } from './run-workflow.ts'
import { listDraftChangesForBuilder, saveWorkflowDraftForBuilder } from './save-draft.ts'
import {
  createTestCaseForBuilder,
  deleteTestCaseForBuilder,
  getTestCaseForBuilder,
  listTestCasesForBuilder,
  runTestCaseForBuilder,
  updateTestCaseForBuilder,
} from './test-cases.ts'
import { planTestRunForBuilder, startTestRunForBuilder } from './test-runs.ts'
import {
  describeWorkflowVersionForBuilder,
  getWorkflowVersionForBuilder,
  listWorkflowVersionsForBuilder,
  restoreWorkflowVersionForBuilder,
} from './workflow-versions.ts'

/** Workflows and their triggers, by the ids of the operations. */
export const WORKFLOW_OPERATIONS = {
  listWorkflows: listWorkflowsForBuilder,
  createWorkflow: createWorkflowForBuilder,
  importWorkflow: importWorkflowForBuilder,
  getWorkflow: getWorkflowForBuilder,
  updateWorkflow: updateWorkflowForBuilder,
  deleteWorkflow: deleteWorkflowForBuilder,
  undeleteWorkflow: undeleteWorkflowForBuilder,
  saveWorkflowDraft: saveWorkflowDraftForBuilder,
  listDraftChanges: listDraftChangesForBuilder,
  listWorkflowTimeline: listWorkflowTimelineForBuilder,
  getDraftRevision: getDraftRevisionForBuilder,
  keepDraft: keepDraftForBuilder,
  sharePresence: sharePresenceForBuilder,
  validateWorkflow: validateWorkflowForBuilder,
  previewPublish: previewPublishForBuilder,
  previewForm: previewFormForBuilder,
  publishWorkflow: publishWorkflowForBuilder,
  unpublishWorkflow: unpublishWorkflowForBuilder,
  startWorkflowRun: runWorkflowForBuilder,
  planTestRun: planTestRunForBuilder,
  startTestRun: startTestRunForBuilder,
  listPins: listPinsForBuilder,
  setPin: setPinForBuilder,
  removePin: removePinForBuilder,
  listTestCases: listTestCasesForBuilder,
  getTestCase: getTestCaseForBuilder,
  createTestCase: createTestCaseForBuilder,
  updateTestCase: updateTestCaseForBuilder,
  deleteTestCase: deleteTestCaseForBuilder,
  runTestCase: runTestCaseForBuilder,
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
  setFormPassword: setFormPasswordForBuilder,
  listSchedules: listSchedulesForBuilder,
  listDeliveries: listDeliveriesForBuilder,
  getDelivery: getDeliveryForBuilder,
  listListeners: listListenersForBuilder,
  startListener: startListenerForBuilder,
  revealListener: revealListenerForBuilder,
  stopListener: stopListenerForBuilder,
  getListenerCall: getListenerCallForBuilder,
} as const
