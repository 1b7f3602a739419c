declare const brand: unique symbol

/** A UUID string branded with the kind of entity it identifies, so that ids of two kinds cannot be mixed up. */
type Id<Kind extends string> = string & { readonly [brand]: Kind }

export type OrganizationId = Id<'organization'>
export type ProjectId = Id<'project'>
export type ApiKeyId = Id<'apiKey'>
export type LlmConfigId = Id<'llmConfig'>
export type CredentialId = Id<'credential'>
export type McpServerId = Id<'mcpServer'>
export type AgentId = Id<'agent'>
export type AgentVersionId = Id<'agentVersion'>
export type TeamId = Id<'team'>
export type TeamVersionId = Id<'teamVersion'>
export type WorkflowId = Id<'workflow'>
export type WorkflowVersionId = Id<'workflowVersion'>
export type WorkflowDeploymentId = Id<'workflowDeployment'>
export type TestCaseId = Id<'testCase'>
export type WorkflowRunId = Id<'workflowRun'>
export type KnowledgeBaseId = Id<'knowledgeBase'>
export type KnowledgeDocumentId = Id<'knowledgeDocument'>
export type SkillId = Id<'skill'>
export type SessionRowId = Id<'session'>
export type RunId = Id<'run'>
export type UserId = Id<'user'>
export type VoiceConfigurationId = Id<'voiceConfiguration'>
export type VoiceSessionId = Id<'voiceSession'>
export type PhoneTrunkId = Id<'phoneTrunk'>
export type PhoneNumberId = Id<'phoneNumber'>

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * A UUID of unspecified kind: newly generated, or supplied by a caller. It is assignable to every kind of id; only the
 * database lookup shows whether such an entity exists.
 */
export type AnyId = Id<never>

/** Whether a value is a UUID string of any version. Nothing else can identify a row. */
export function isUuid(value: unknown): value is AnyId {
  return typeof value === 'string' && UUID.test(value)
}

/** The UUID in lower case, as in the database; null for any other string. */
export function toId(value: string): AnyId | null {
  const id = value.toLowerCase()
  return isUuid(id) ? id : null
}

/**
 * Brands a string that a body schema or the database has already checked.
 *
 * @throws TypeError when it is not a UUID
 */
export function asId(value: string): AnyId {
  if (!isUuid(value)) throw new TypeError(`not a UUID: ${JSON.stringify(value)}`)
  return value
}
