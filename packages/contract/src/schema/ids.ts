declare const brand: unique symbol

/** A UUID string that names one kind of thing, so that ids of two kinds cannot be mixed up. */
type Id<Kind extends string> = string & { readonly [brand]: Kind }

export type OrganizationId = Id<'organization'>
export type ProjectId = Id<'project'>
export type ApiKeyId = Id<'apiKey'>
export type LlmConfigId = Id<'llmConfig'>
export type AgentId = Id<'agent'>
export type AgentVersionId = Id<'agentVersion'>
export type TeamId = Id<'team'>
export type TeamVersionId = Id<'teamVersion'>
export type WorkflowId = Id<'workflow'>
export type WorkflowVersionId = Id<'workflowVersion'>
export type WorkflowDeploymentId = Id<'workflowDeployment'>
export type WorkflowRunId = Id<'workflowRun'>
export type SessionRowId = Id<'session'>
export type RunId = Id<'run'>
export type UserId = Id<'user'>

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * A UUID whose kind is open: just made, or named by a caller. It fits wherever the id of one kind is asked for; whether
 * it names a thing of that kind, the row says.
 */
export type AnyId = Id<never>

/** Whether a value is a string in the form of a UUID (any version). Nothing else can name a row. */
export function isUuid(value: unknown): value is AnyId {
  return typeof value === 'string' && UUID.test(value)
}

/** The UUID as the database writes it, in lower case; null for any other string. */
export function toId(value: string): AnyId | null {
  const id = value.toLowerCase()
  return isUuid(id) ? id : null
}

/**
 * A string that was checked before, by the schema of a body or by the database.
 *
 * @throws TypeError when it is no UUID after all
 */
export function asId(value: string): AnyId {
  if (!isUuid(value)) throw new TypeError(`not a UUID: ${JSON.stringify(value)}`)
  return value
}
