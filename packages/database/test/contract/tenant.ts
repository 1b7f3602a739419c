import { randomUUID } from 'node:crypto'
import type {
  AgentConfig,
  AgentId,
  AgentVersionId,
  ApiKeyId,
  LlmConfigId,
  OrganizationId,
  ProjectId,
  RunId,
} from '@troupe/contract'
import type { Actor, AgentRecord, Database, LlmConfigurationRecord } from '@troupe/database'
import type { NewRun, RunEnd, Scope, SessionKey, UsageRecord } from '@troupe/runtime/ports'

/** The database under test, opened by the runner. */
export type Subject = () => Database

export const SYSTEM: Actor = { kind: 'system', id: null, ip: null, requestId: null }

export const newId = {
  organization: () => randomUUID() as string as OrganizationId,
  project: () => randomUUID() as string as ProjectId,
  key: () => randomUUID() as string as ApiKeyId,
  llm: () => randomUUID() as string as LlmConfigId,
  agent: () => randomUUID() as string as AgentId,
  version: () => randomUUID() as string as AgentVersionId,
  run: () => randomUUID() as string as RunId,
}

type NewAgent = Omit<AgentRecord, 'versionId' | 'createdAt' | 'updatedAt'>
type NewLlm = Omit<LlmConfigurationRecord, 'version' | 'createdAt' | 'updatedAt'>

/** An organization of its own for one test, with two projects and one API key. */
export interface Tenant {
  organizationId: OrganizationId
  projectA: ProjectId
  projectB: ProjectId
  apiKeyId: ApiKeyId
  secretHash: string
  scope: Scope
  agent(changes?: Partial<NewAgent>): NewAgent
  llm(changes?: Partial<NewLlm>): NewLlm
}

export async function createTenant(db: Database): Promise<Tenant> {
  const organizationId = newId.organization()
  const [projectA, projectB, apiKeyId] = [newId.project(), newId.project(), newId.key()]
  const secretHash = randomUUID()
  await db.transaction(async ({ write }) => {
    await write.organizations.put({
      id: organizationId,
      slug: organizationId,
      name: 'Acme',
      rpm: 1000,
      concurrentRuns: 20,
    })
    await write.projects.put({ id: projectA, organizationId, slug: 'a', name: 'A' })
    await write.projects.put({ id: projectB, organizationId, slug: 'b', name: 'B' })
    await write.apiKeys.insert({
      id: apiKeyId,
      organizationId,
      projectId: null,
      name: 'ci',
      secretHash,
      rpm: null,
      expiresAt: null,
      revokedAt: null,
    })
  })
  return {
    organizationId,
    projectA,
    projectB,
    apiKeyId,
    secretHash,
    scope: { organizationId, projectId: null },
    agent: (changes) => ({
      id: newId.agent(),
      organizationId,
      projectId: null,
      slug: null,
      name: 'Writer',
      description: null,
      status: 'draft',
      config: { instructions: 'You write.' } as AgentConfig,
      configSchemaVersion: 1,
      ...changes,
    }),
    llm: (changes) => ({
      id: newId.llm(),
      organizationId,
      projectId: null,
      slug: randomUUID(),
      name: 'Main',
      providerId: 'sandbox',
      status: 'connected',
      isDefault: false,
      baseUrl: null,
      sealedCredentials: null,
      settings: {},
      models: [],
      ...changes,
    }),
  }
}

/** A conversation in a tenant; a new agent and session id unless given. */
export function sessionOf(
  tenant: Pick<Tenant, 'organizationId'>,
  changes: Partial<SessionKey> = {},
): SessionKey {
  return {
    organizationId: tenant.organizationId,
    projectId: null,
    kind: 'agent',
    entityId: newId.agent(),
    externalId: randomUUID(),
    ...changes,
  }
}

export function runOn(
  tenant: Pick<Tenant, 'apiKeyId'>,
  session: SessionKey,
  changes: Partial<NewRun> = {},
): NewRun {
  return {
    runId: newId.run(),
    session,
    userId: 'ana',
    userIdGiven: true,
    agentVersionId: newId.version(),
    source: 'api_sync',
    input: 'Hello',
    includeMessages: false,
    tag: null,
    apiKeyId: tenant.apiKeyId,
    workerId: 'worker-1',
    leaseSeconds: 30,
    createdAt: Date.now(),
    idempotency: null,
    ...changes,
  }
}

export function endOf(run: NewRun, changes: Partial<RunEnd> = {}): RunEnd {
  const { organizationId, projectId, entityId } = run.session
  return {
    runId: run.runId,
    organizationId,
    projectId,
    agentId: entityId,
    status: 'completed',
    success: true,
    content: 'Hi!',
    storeMessages: true,
    messages: [],
    errorCode: null,
    errorMessage: null,
    stopReason: null,
    inputTokens: 10,
    outputTokens: 5,
    failoverUsed: false,
    completedAt: Date.now(),
    usage: [],
    userId: run.userId,
    tag: run.tag,
    events: [],
    ...changes,
  }
}

export function usage(changes: Partial<UsageRecord> = {}): UsageRecord {
  return {
    purpose: 'chat',
    costMicros: 12,
    llmConfigId: randomUUID(),
    modelId: 'sandbox-1',
    attempt: 1,
    isFallback: false,
    inputTokens: 10,
    cachedTokens: 0,
    outputTokens: 5,
    reasoningTokens: 0,
    usageIncomplete: false,
    latencyMs: 12,
    ttftMs: 3,
    ok: true,
    errorCode: null,
    internalMessage: null,
    ...changes,
  }
}

/** Starts a run and ends it with this exchange. */
export async function exchange(
  db: Database,
  tenant: Tenant,
  session: SessionKey,
  input: string,
  end: Partial<RunEnd> = {},
): Promise<NewRun> {
  const run = runOn(tenant, session, { input })
  await db.runs.start(run)
  await db.runs.finish(endOf(run, end))
  return run
}
