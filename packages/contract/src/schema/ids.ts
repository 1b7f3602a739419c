declare const brand: unique symbol

/** A UUID string branded with the kind of entity it identifies, so that ids of two kinds cannot be mixed up. */
export type Id<Kind extends string> = Kind extends string ? string & { readonly [brand]: Kind } : never

/** A kind of id, which parses texts and generates new ids; it has the same name as its type. */
export interface IdKind<Kind extends string> {
  readonly kind: Kind
}

/** The kind of an id type. */
export type KindOf<T extends string> = T extends { readonly [brand]: infer Kind extends string }
  ? Kind
  : never

/**
 * The text of an id from outside, which `parseId` reads: any text fits, except one that is known to name another kind.
 */
export type IdText<T extends string> = IdTextOf<KindOf<T>>
type IdTextOf<Kind extends string> = string & { readonly [brand]?: Kind }

/** An id of one of `Given` kinds, of which some are `Kind`. */
type TextOfSome<Kind extends string, Given extends string> = string & { readonly [brand]?: Given } & ([
    Kind & Given,
  ] extends [never]
    ? never
    : unknown)

/** Generates an id for a new entity. */
export type NewId = <Kind extends string>(kind: IdKind<Kind>) => Id<Kind>

export const OrganizationId: IdKind<'organization'> = { kind: 'organization' }
export type OrganizationId = Id<'organization'>
export const ProjectId: IdKind<'project'> = { kind: 'project' }
export type ProjectId = Id<'project'>
export const ApiKeyId: IdKind<'apiKey'> = { kind: 'apiKey' }
export type ApiKeyId = Id<'apiKey'>
export const LlmConfigId: IdKind<'llmConfig'> = { kind: 'llmConfig' }
export type LlmConfigId = Id<'llmConfig'>
export const CredentialId: IdKind<'credential'> = { kind: 'credential' }
export type CredentialId = Id<'credential'>
export const McpServerId: IdKind<'mcpServer'> = { kind: 'mcpServer' }
export type McpServerId = Id<'mcpServer'>
export const AgentId: IdKind<'agent'> = { kind: 'agent' }
export type AgentId = Id<'agent'>
export const AgentVersionId: IdKind<'agentVersion'> = { kind: 'agentVersion' }
export type AgentVersionId = Id<'agentVersion'>
export const TeamId: IdKind<'team'> = { kind: 'team' }
export type TeamId = Id<'team'>
export const TeamVersionId: IdKind<'teamVersion'> = { kind: 'teamVersion' }
export type TeamVersionId = Id<'teamVersion'>
export const WorkflowId: IdKind<'workflow'> = { kind: 'workflow' }
export type WorkflowId = Id<'workflow'>
export const WorkflowVersionId: IdKind<'workflowVersion'> = { kind: 'workflowVersion' }
export type WorkflowVersionId = Id<'workflowVersion'>
export const WorkflowDeploymentId: IdKind<'workflowDeployment'> = { kind: 'workflowDeployment' }
export type WorkflowDeploymentId = Id<'workflowDeployment'>
export const TestCaseId: IdKind<'testCase'> = { kind: 'testCase' }
export type TestCaseId = Id<'testCase'>
export const WorkflowRunId: IdKind<'workflowRun'> = { kind: 'workflowRun' }
export type WorkflowRunId = Id<'workflowRun'>
export const KnowledgeBaseId: IdKind<'knowledgeBase'> = { kind: 'knowledgeBase' }
export type KnowledgeBaseId = Id<'knowledgeBase'>
export const KnowledgeDocumentId: IdKind<'knowledgeDocument'> = { kind: 'knowledgeDocument' }
export type KnowledgeDocumentId = Id<'knowledgeDocument'>
/** A passage of a document. */
export const KnowledgeChunkId: IdKind<'knowledgeChunk'> = { kind: 'knowledgeChunk' }
export type KnowledgeChunkId = Id<'knowledgeChunk'>
/** The passages of a knowledge base by one embedding model; a change of the model begins another set. */
export const KnowledgeSetId: IdKind<'knowledgeSet'> = { kind: 'knowledgeSet' }
export type KnowledgeSetId = Id<'knowledgeSet'>
export const SkillId: IdKind<'skill'> = { kind: 'skill' }
export type SkillId = Id<'skill'>
export const SessionRowId: IdKind<'session'> = { kind: 'session' }
export type SessionRowId = Id<'session'>
export const RunId: IdKind<'run'> = { kind: 'run' }
export type RunId = Id<'run'>
/** A run of an agent, a team or a workflow, where only the row tells which. */
export const AnyRunId: IdKind<'run' | 'workflowRun'> = { kind: 'run' }
export type AnyRunId = Id<'run' | 'workflowRun'>
export const UserId: IdKind<'user'> = { kind: 'user' }
export type UserId = Id<'user'>
export const VoiceConfigurationId: IdKind<'voiceConfiguration'> = { kind: 'voiceConfiguration' }
export type VoiceConfigurationId = Id<'voiceConfiguration'>
export const VoiceSessionId: IdKind<'voiceSession'> = { kind: 'voiceSession' }
export type VoiceSessionId = Id<'voiceSession'>
export const PhoneTrunkId: IdKind<'phoneTrunk'> = { kind: 'phoneTrunk' }
export type PhoneTrunkId = Id<'phoneTrunk'>
export const PhoneNumberId: IdKind<'phoneNumber'> = { kind: 'phoneNumber' }
export type PhoneNumberId = Id<'phoneNumber'>
export const BudgetId: IdKind<'budget'> = { kind: 'budget' }
export type BudgetId = Id<'budget'>
export const InvitationId: IdKind<'invitation'> = { kind: 'invitation' }
export type InvitationId = Id<'invitation'>
export const ReviewId: IdKind<'review'> = { kind: 'review' }
export type ReviewId = Id<'review'>
export const ApprovalId: IdKind<'approval'> = { kind: 'approval' }
export type ApprovalId = Id<'approval'>
/** A listener for test calls of a workflow. */
export const ListenerId: IdKind<'listener'> = { kind: 'listener' }
export type ListenerId = Id<'listener'>
export const ListenerCallId: IdKind<'listenerCall'> = { kind: 'listenerCall' }
export type ListenerCallId = Id<'listenerCall'>
/** A delivery to a webhook. */
export const DeliveryId: IdKind<'delivery'> = { kind: 'delivery' }
export type DeliveryId = Id<'delivery'>
/** A file that a visitor of a form uploaded. */
export const UploadId: IdKind<'upload'> = { kind: 'upload' }
export type UploadId = Id<'upload'>
/** A memory about an end user. */
export const MemoryId: IdKind<'memory'> = { kind: 'memory' }
export type MemoryId = Id<'memory'>
/** The kept prompt of a model call. */
export const PromptId: IdKind<'prompt'> = { kind: 'prompt' }
export type PromptId = Id<'prompt'>
/** A write of unsaved changes, by which the next write names what it replaces. */
export const UnsavedChangesId: IdKind<'unsavedChanges'> = { kind: 'unsavedChanges' }
export type UnsavedChangesId = Id<'unsavedChanges'>
/** A tab of the builder that has an editor open. */
export const EditorTabId: IdKind<'editorTab'> = { kind: 'editorTab' }
export type EditorTabId = Id<'editorTab'>
/** A kept state of a workflow's draft. */
export const DraftKeepId: IdKind<'draftKeep'> = { kind: 'draftKeep' }
export type DraftKeepId = Id<'draftKeep'>
/** The link of the first sign-in. */
export const StartLinkId: IdKind<'startLink'> = { kind: 'startLink' }
export type StartLinkId = Id<'startLink'>
/** A row of the sign-in library: an account, a session, a verification. */
export const SignInRowId: IdKind<'signInRow'> = { kind: 'signInRow' }
export type SignInRowId = Id<'signInRow'>
/** The `session_id` of a conversation, if the caller sends none. */
export const ConversationId: IdKind<'conversation'> = { kind: 'conversation' }
export type ConversationId = Id<'conversation'>
/** The `user_id` of a conversation, if the caller sends none. */
export const EndUserId: IdKind<'endUser'> = { kind: 'endUser' }
export type EndUserId = Id<'endUser'>

/** An agent, a team or a workflow, where only the row tells which. */
export const AnyRunnableId: IdKind<'agent' | 'team' | 'workflow'> = { kind: 'agent' }
export type AnyRunnableId = Id<'agent' | 'team' | 'workflow'>

/** A version of an agent, a team or a workflow, where only the row says which. */
export const AnyVersionId: IdKind<'agentVersion' | 'teamVersion' | 'workflowVersion'> = {
  kind: 'agentVersion',
}
export type AnyVersionId = Id<'agentVersion' | 'teamVersion' | 'workflowVersion'>

/** The ids of each kind of runnable, and of its versions. */
export const RUNNABLE_IDS = {
  agent: { id: AgentId, version: AgentVersionId },
  team: { id: TeamId, version: TeamVersionId },
  workflow: { id: WorkflowId, version: WorkflowVersionId },
} as const

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a value is a UUID string of any version. Only UUIDs can identify a row. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value)
}

/** A UUID in lower case, as in the database, for an id whose kind another value names; null for any other text. */
export function lowerUuid(text: string): string | null {
  return isUuid(text) ? text.toLowerCase() : null
}

/**
 * The id in a text from outside, in lower case as in the database; null for any text that is not a UUID. Only the
 * database lookup shows whether such an entity exists.
 */
export function parseId<Kind extends string>(
  kind: IdKind<Kind>,
  text: IdTextOf<NoInfer<Kind>>,
): Id<Kind> | null
/** The same for an id whose row says that it is of this kind: an `AnyRunId` as a `RunId`. */
export function parseId<Kind extends string, Given extends string>(
  kind: IdKind<Kind>,
  text: TextOfSome<Kind, Given>,
): Id<Kind> | null
export function parseId<Kind extends string>(_kind: IdKind<Kind>, text: string): Id<Kind> | null {
  const id = text.toLowerCase()
  return UUID.test(id) ? (id as Id<Kind>) : null
}

/**
 * The id in a text that a body schema or the database has already checked.
 *
 * @throws TypeError when it is not a UUID
 */
export function checkedId<Kind extends string>(kind: IdKind<Kind>, text: IdTextOf<NoInfer<Kind>>): Id<Kind>
/** The same for an id whose row says that it is of this kind: an `AnyRunId` as a `RunId`. */
export function checkedId<Kind extends string, Given extends string>(
  kind: IdKind<Kind>,
  text: TextOfSome<Kind, Given>,
): Id<Kind>
export function checkedId<Kind extends string>(kind: IdKind<Kind>, text: string): Id<Kind> {
  const id = parseId(kind, text)
  if (id === null) throw new TypeError(`not an id of the kind ${kind.kind}: ${JSON.stringify(text)}`)
  return id
}

/** A random id. */
export function newId<Kind extends string>(_kind: IdKind<Kind>): Id<Kind> {
  return crypto.randomUUID() as string as Id<Kind>
}
