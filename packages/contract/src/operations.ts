import { cancelAgentJobOperation } from './agents/cancel-agent-job.ts'
import { cancelAgentRunOperation } from './agents/cancel-agent-run.ts'
import { createAgentOperation } from './agents/create-agent.ts'
import { getAgentOperation } from './agents/get-agent.ts'
import { getAgentJobOperation } from './agents/get-agent-job.ts'
import { listAgentsOperation } from './agents/list-agents.ts'
import { listLlmProvidersOperation } from './agents/list-llm-providers.ts'
import { resumeAgentStreamOperation } from './agents/resume-agent-stream.ts'
import { runAgentOperation } from './agents/run-agent.ts'
import { runAgentAsyncOperation } from './agents/run-agent-async.ts'
import { runAgentStreamOperation } from './agents/run-agent-stream.ts'
import { updateAgentOperation } from './agents/update-agent.ts'
import { listApprovalsOperation } from './approvals/list-approvals.ts'
import { resolveApprovalOperation } from './approvals/resolve-approval.ts'
import { applyBundleOperation } from './bundles/apply-bundle.ts'
import { applyBundleArchiveOperation, exportBundleArchiveOperation } from './bundles/bundle-archives.ts'
import { exportBundleOperation } from './bundles/export-bundle.ts'
import { getFormOperation } from './forms/get-form.ts'
import { openFormSessionOperation } from './forms/open-form-session.ts'
import { submitFormOperation, submitFormShortlyOperation } from './forms/submit-form.ts'
import { uploadFormFileOperation } from './forms/upload-form-file.ts'
import { addKnowledgeDocumentOperation } from './knowledge/add-knowledge-document.ts'
import { createKnowledgeBaseOperation } from './knowledge/create-knowledge-base.ts'
import { deleteKnowledgeBaseOperation } from './knowledge/delete-knowledge-base.ts'
import { deleteKnowledgeDocumentOperation } from './knowledge/delete-knowledge-document.ts'
import { getKnowledgeBaseOperation } from './knowledge/get-knowledge-base.ts'
import { getKnowledgeDocumentOperation } from './knowledge/get-knowledge-document.ts'
import { listKnowledgeBasesOperation } from './knowledge/list-knowledge-bases.ts'
import { listKnowledgeDocumentsOperation } from './knowledge/list-knowledge-documents.ts'
import { searchKnowledgeBasesOperation } from './knowledge/search-knowledge-bases.ts'
import { updateKnowledgeBaseOperation } from './knowledge/update-knowledge-base.ts'
import {
  confirmMcpServerToolsOperation,
  listMcpServerToolsOperation,
} from './mcp-servers/mcp-server-tools.ts'
import { createPasswordResetLinkOperation } from './members/create-password-reset-link.ts'
import { deleteMemoryOperation } from './memories/delete-memory.ts'
import { forgetUserOperation } from './memories/forget-user.ts'
import { listMemoriesOperation } from './memories/list-memories.ts'
import { getOrganizationLimitsOperation } from './organizations/get-limits.ts'
import { decideReviewOperation } from './reviews/decide-review.ts'
import { getReviewOperation } from './reviews/get-review.ts'
import { listReviewsOperation } from './reviews/list-reviews.ts'
import { deleteSessionOperation } from './sessions/delete-session.ts'
import { getSessionOperation } from './sessions/get-session.ts'
import { listSessionMessagesOperation } from './sessions/list-session-messages.ts'
import { listSessionsOperation } from './sessions/list-sessions.ts'
import { deleteSkillOperation } from './skills/delete-skill.ts'
import { getSkillOperation } from './skills/get-skill.ts'
import { listSkillsOperation } from './skills/list-skills.ts'
import { uploadSkillOperation } from './skills/upload-skill.ts'
import { cancelTeamJobOperation } from './teams/cancel-team-job.ts'
import { cancelTeamRunOperation } from './teams/cancel-team-run.ts'
import { getTeamJobOperation } from './teams/get-team-job.ts'
import { resumeTeamStreamOperation } from './teams/resume-team-stream.ts'
import { runTeamAsyncOperation } from './teams/run-team-async.ts'
import { runTeamStreamOperation } from './teams/run-team-stream.ts'
import { runTeamSyncOperation } from './teams/run-team-sync.ts'
import { testToolOperation } from './tools/test-tool.ts'
import { triggerWorkflowOperation } from './triggers/trigger-workflow.ts'
import { getUsageOperation } from './usage/get-usage.ts'
import { createCallOperation } from './voice/create-call.ts'
import { listVoiceAgentsOperation } from './voice/list-voice-agents.ts'
import { startVoiceSessionOperation } from './voice/start-voice-session.ts'
import { cancelWorkflowJobOperation } from './workflows/cancel-workflow-job.ts'
import { getWorkflowJobOperation } from './workflows/get-workflow-job.ts'
import { getWorkflowJobResultOperation } from './workflows/get-workflow-job-result.ts'
import { listWorkflowJobNodesOperation } from './workflows/list-workflow-job-nodes.ts'
import { listWorkflowJobReviewsOperation } from './workflows/list-workflow-job-reviews.ts'
import { pauseWorkflowJobOperation } from './workflows/pause-workflow-job.ts'
import { resumeWorkflowJobOperation } from './workflows/resume-workflow-job.ts'
import { runWorkflowOperation } from './workflows/run-workflow.ts'
import { runWorkflowAsyncOperation } from './workflows/run-workflow-async.ts'

/** Every operation of the public API that takes an API key, by its id. */
export const OPERATIONS = {
  getOrganizationLimits: getOrganizationLimitsOperation,
  listAgents: listAgentsOperation,
  createAgent: createAgentOperation,
  listLlmProviders: listLlmProvidersOperation,
  getAgent: getAgentOperation,
  updateAgent: updateAgentOperation,
  runAgent: runAgentOperation,
  runAgentStream: runAgentStreamOperation,
  resumeAgentStream: resumeAgentStreamOperation,
  cancelAgentRun: cancelAgentRunOperation,
  runAgentAsync: runAgentAsyncOperation,
  getAgentJob: getAgentJobOperation,
  cancelAgentJob: cancelAgentJobOperation,
  runTeamSync: runTeamSyncOperation,
  runTeamStream: runTeamStreamOperation,
  resumeTeamStream: resumeTeamStreamOperation,
  cancelTeamRun: cancelTeamRunOperation,
  runTeamAsync: runTeamAsyncOperation,
  getTeamJob: getTeamJobOperation,
  cancelTeamJob: cancelTeamJobOperation,
  runWorkflow: runWorkflowOperation,
  runWorkflowAsync: runWorkflowAsyncOperation,
  getWorkflowJob: getWorkflowJobOperation,
  cancelWorkflowJob: cancelWorkflowJobOperation,
  getWorkflowJobResult: getWorkflowJobResultOperation,
  listWorkflowJobNodes: listWorkflowJobNodesOperation,
  pauseWorkflowJob: pauseWorkflowJobOperation,
  resumeWorkflowJob: resumeWorkflowJobOperation,
  listWorkflowJobReviews: listWorkflowJobReviewsOperation,
  listReviews: listReviewsOperation,
  getReview: getReviewOperation,
  decideReview: decideReviewOperation,
  listApprovals: listApprovalsOperation,
  resolveApproval: resolveApprovalOperation,
  listKnowledgeBases: listKnowledgeBasesOperation,
  createKnowledgeBase: createKnowledgeBaseOperation,
  getKnowledgeBase: getKnowledgeBaseOperation,
  updateKnowledgeBase: updateKnowledgeBaseOperation,
  deleteKnowledgeBase: deleteKnowledgeBaseOperation,
  listKnowledgeDocuments: listKnowledgeDocumentsOperation,
  addKnowledgeDocument: addKnowledgeDocumentOperation,
  getKnowledgeDocument: getKnowledgeDocumentOperation,
  deleteKnowledgeDocument: deleteKnowledgeDocumentOperation,
  searchKnowledgeBases: searchKnowledgeBasesOperation,
  getUsage: getUsageOperation,
  listSessions: listSessionsOperation,
  getSession: getSessionOperation,
  listSessionMessages: listSessionMessagesOperation,
  deleteSession: deleteSessionOperation,
  listMemories: listMemoriesOperation,
  deleteMemory: deleteMemoryOperation,
  forgetUser: forgetUserOperation,
  testTool: testToolOperation,
  listSkills: listSkillsOperation,
  uploadSkill: uploadSkillOperation,
  getSkill: getSkillOperation,
  deleteSkill: deleteSkillOperation,
  listVoiceAgents: listVoiceAgentsOperation,
  startVoiceSession: startVoiceSessionOperation,
  createCall: createCallOperation,
} as const

/** The endpoints of published triggers: public operations without an API key, by their ids. */
export const TRIGGER_OPERATIONS = {
  triggerWorkflow: triggerWorkflowOperation,
  getForm: getFormOperation,
  openFormSession: openFormSessionOperation,
  submitForm: submitFormOperation,
  submitFormShortly: submitFormShortlyOperation,
  uploadFormFile: uploadFormFileOperation,
} as const

/** All operations for the operator of a deployment (admin token), by their ids. Not part of the public contract. */
export const OPERATOR_OPERATIONS = {
  applyBundle: applyBundleOperation,
  exportBundle: exportBundleOperation,
  applyBundleArchive: applyBundleArchiveOperation,
  exportBundleArchive: exportBundleArchiveOperation,
  createPasswordResetLink: createPasswordResetLinkOperation,
  listMcpServerTools: listMcpServerToolsOperation,
  confirmMcpServerTools: confirmMcpServerToolsOperation,
} as const

/** The id of a public operation. */
export type OperationId = keyof typeof OPERATIONS
/** The id of an operation of a trigger. */
export type TriggerOperationId = keyof typeof TRIGGER_OPERATIONS
