export { LONGEST_PERSON_NAME } from './account/change-account.ts'
export type { SignInPlace } from './account/sign-ins.ts'
export type { AgentDetails, AgentSummary } from './agents/agent.ts'
export type { AgentDraft } from './agents/agent-draft.ts'
export type { PlayAgentBody } from './agents/agent-playground.ts'
export type {
  ApiKey,
  CreateApiKeyBody,
  NewApiKey,
  RotateApiKeyBody,
  UpdateApiKeyBody,
} from './api-keys/api-key.ts'
export { successorEnd } from './api-keys/successor-end.ts'
export type { AuditedChange } from './audit/list-audit.ts'
export type { NamedBudget, UnpricedConfiguration } from './budgets/operations.ts'
export { unpricedFor } from './budgets/unpriced-for.ts'
export { MAX_BUNDLE_SELECTION } from './bundles/max-bundle-selection.ts'
export { type BundlePreview, GivenArchive, type GivenBundle } from './bundles/operations.ts'
export type {
  CreateCredentialBody,
  Credential,
  UpdateCredentialBody,
  UseOfConnection,
} from './credentials/credential.ts'
export type { ChangeEvent } from './events/stream-events.ts'
export type { TriedGuardrails, TryGuardrailsBody } from './guardrails/try-guardrails.ts'
export type { DayView } from './home/get-day.ts'
export type { HomeView } from './home/get-home.ts'
export type {
  ConnectionBody,
  ConnectionTest,
  CreateLlmConfigurationBody,
  LlmConfiguration,
  ProviderForm,
  TestLlmConfigurationBody,
  UpdateLlmConfigurationBody,
} from './llm-configurations/llm-configuration.ts'
export type {
  ConfirmToolsBody,
  CreateMcpServerBody,
  McpConnectionResult,
  McpServerDetails,
  RegisteredMcpServer,
  UpdateMcpServerBody,
} from './mcp-servers/mcp-server.ts'
export type { Invitation, Member } from './members/member.ts'
export type { ObservationOperationId } from './observation-operations.ts'
export {
  BUILDER_OPERATIONS,
  type BuilderOperationId,
  DEPLOYMENT_OPERATIONS,
  PERSON_OPERATIONS,
} from './operations.ts'
export type { CreateOrganizationBody } from './organization/create-organization.ts'
export type { Organization, UpdateOrganizationBody } from './organization/organization.ts'
export { DO_NOT_CALL_BATCH } from './phone/do-not-call-batch.ts'
export type {
  AddDoNotCallBody,
  AddedDoNotCall,
  CreatePhoneNumberBody,
  CreatePhoneTrunkBody,
  DoNotCallNumber,
  PhoneNumber,
  PhoneTrunk,
  UpdatePhoneNumberBody,
  UpdatePhoneTrunkBody,
} from './phone/phone.ts'
export type { MovableKind, MovedThing, MoveResult, MoveThingsBody } from './projects/move-things.ts'
export { MAX_MOVED_THINGS, MAX_NAMED_USERS, MOVABLE_KINDS } from './projects/move-things.ts'
export type { CreateProjectBody, Project, ProjectContents, UpdateProjectBody } from './projects/project.ts'
export type { AgentPrompt, PromptBody } from './prompts/agent-prompt.ts'
export type { ModelCallPreview, PromptPart } from './prompts/model-call.ts'
export type { TeamCallPreview, TeamPrompts } from './prompts/team-prompts.ts'
export type { DocumentPassage, UpdateKnowledgeDocumentBody } from './resources/document-operations.ts'
export type { ResourceUser, ShownSkillVersion } from './resources/resource-operations.ts'
export type {
  MemberApproval,
  MemberDecisionBody,
  MemberReview,
  MemberReviewDetail,
} from './reviews/operations.ts'
export type { AgentRunDetail } from './runs/agent-run-trace.ts'
export type { RerunBody } from './runs/change-run.ts'
export type { RunDetail } from './runs/get-run.ts'
export type { RunPrompt } from './runs/get-run-prompt.ts'
export type { RunCause } from './runs/list-run-causes.ts'
export type { ListedRun } from './runs/listed-run.ts'
export type { NodePreview } from './runs/nodes.ts'
export { RUN_SOURCES } from './runs/run-sources.ts'
export type { TracedNode, TracedNodeValues, WorkflowRunDetail } from './runs/workflow-run-trace.ts'
export type { ListedSession, SessionDetail } from './sessions/operations.ts'
export type { BuilderSession } from './sign-in/session.ts'
export type { TeamDetails, TeamSummary } from './teams/team.ts'
export type { TeamDraft } from './teams/team-draft.ts'
export type { PlayTeamBody } from './teams/team-playground.ts'
export type { OfferedToolNames } from './tools/list-offered-tools.ts'
export type { HostedForm } from './triggers/form.ts'
export type {
  CallVerdict,
  Listener,
  ListenerCall,
  ListenerCallHead,
  RevealedListener,
  StartListenerBody,
} from './triggers/listeners.ts'
export type { RevealedWebhook, Webhook } from './triggers/webhook.ts'
export { UNSAVED_KINDS, type UnsavedKind } from './unsaved-changes/kinds.ts'
export type { PersonsChanges, UnsavedChanges } from './unsaved-changes/operations.ts'
export type { Upload } from './uploads/operations.ts'
export type { UsageReport } from './usage/get-usage.ts'
export type {
  ChangeAuthor,
  DescribeConfigVersionBody,
  ListedVersion,
  Version,
  VersionDetails,
} from './versions/version.ts'
export {
  CreateVoiceConfigurationBody,
  SpokenTest,
  TestVoiceConfigurationBody,
  UpdateVoiceConfigurationBody,
  VoiceConfiguration,
} from './voice-configurations/voice-configuration.ts'
export type { ListedVoiceSession } from './voice-sessions/operations.ts'
export type { DraftRevision, KeepDraftBody, TimelineEntry } from './workflows/draft-history.ts'
export type { ImportedDraft } from './workflows/import-workflow.ts'
export type { NewWorkflowBody } from './workflows/manage-workflows.ts'
export type { Pin, SetPinBody } from './workflows/pins.ts'
export type { PresentTab, SharePresenceBody } from './workflows/presence.ts'
export type { FormPreview } from './workflows/preview-form.ts'
export type { PublishPreview } from './workflows/preview-publish.ts'
export type { SaveDraftBody } from './workflows/save-draft.ts'
export {
  type CreateTestCaseBody,
  MAX_TEST_CASES,
  type TestCase,
  type TestCaseDetails,
  type TestCaseResult,
  type UpdateTestCaseBody,
} from './workflows/test-cases.ts'
export type { PlanTestBody, StartTestBody, TestRunPlan } from './workflows/test-runs.ts'
export type { BuilderWorkflow, WorkflowOverviewItem } from './workflows/workflow-overview.ts'
export type { DescribeVersionBody, WorkflowVersionGraph } from './workflows/workflow-versions.ts'
