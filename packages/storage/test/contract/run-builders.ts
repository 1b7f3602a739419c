import { randomUUID } from 'node:crypto'
import type {
  MemberRun,
  NewRun,
  NewRunMessage,
  RunEnd,
  RunTarget,
  SessionKey,
  StoredEvent,
  UsageRecord,
} from '@troupe/agents/ports'
import { AgentId, AgentVersionId, checkedId, LlmConfigId, newId, RunId } from '@troupe/contract'
import type { Database } from '../../src/database.ts'
import type { Tenant } from './tenant.ts'

/** A conversation in a tenant; a new agent and session id unless given. */
export function sessionOf(
  tenant: Pick<Tenant, 'organizationId'>,
  changes: Partial<SessionKey> = {},
): SessionKey {
  return {
    organizationId: tenant.organizationId,
    projectId: null,
    kind: 'agent',
    entityId: newId(AgentId),
    sessionId: randomUUID(),
    isPlayground: false,
    ...changes,
  }
}

export function runOn(
  tenant: Pick<Tenant, 'apiKeyId'>,
  session: SessionKey,
  changes: Partial<NewRun> = {},
): NewRun {
  return {
    runId: newId(RunId),
    session,
    userId: 'ana',
    userIdGiven: true,
    entityVersionId: newId(AgentVersionId),
    pins: null,
    source: 'api_sync',
    workflowRunId: null,
    limitSeconds: 60,
    input: 'Hello',
    includeMessages: false,
    storeMessages: true,
    tag: null,
    apiKeyId: tenant.apiKeyId,
    startedByUserId: null,
    workerId: 'worker-1',
    leaseSeconds: 30,
    createdAt: Date.now(),
    toolContextSealed: null,
    reserved: { tokens: 0, costMicros: 0 },
    idempotency: null,
    ...changes,
  }
}

/** The target under which a caller names the run. */
export function targetOf(run: NewRun, changes: Partial<RunTarget> = {}): RunTarget {
  const { kind, entityId, isPlayground } = run.session
  return { kind, entityId, runId: run.runId, isPlayground, ...changes }
}

export function endOf(run: NewRun, changes: Partial<RunEnd> = {}): RunEnd {
  const { organizationId, projectId, kind, entityId } = run.session
  return {
    runId: run.runId,
    organizationId,
    projectId,
    kind,
    entityId,
    fence: null,
    status: 'completed',
    success: true,
    input: null,
    flags: [],
    content: 'Hi!',
    storeMessages: true,
    answerAgentId: kind === 'agent' ? checkedId(AgentId, entityId) : null,
    plan: null,
    messages: [],
    members: [],
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

export function message(changes: Partial<NewRunMessage> = {}): NewRunMessage {
  return {
    idx: 0,
    role: 'user',
    content: 'Hello',
    toolCalls: null,
    toolCallId: null,
    toolName: null,
    isError: null,
    agentId: null,
    agentName: null,
    createdAt: 1,
    ...changes,
  }
}

/** A member's run that ended well. */
export function memberOf(stepKey: string, changes: Partial<MemberRun> = {}): MemberRun {
  return {
    runId: newId(RunId),
    stepKey,
    agentId: newId(AgentId),
    agentVersionId: newId(AgentVersionId),
    status: 'completed',
    success: true,
    input: 'Look it up.',
    content: 'Found.',
    errorCode: null,
    errorMessage: null,
    inputTokens: 3,
    outputTokens: 2,
    failoverUsed: false,
    createdAt: 1_800_000_000_010,
    completedAt: 1_800_000_000_020,
    messages: [],
    ...changes,
  }
}

/** An event of one number. */
export function eventOf(seq: number, name = 'RunContent', data: Record<string, unknown> = {}): StoredEvent {
  return { seqFrom: seq, seq, event: name, data, cuts: null }
}

export function usage(changes: Partial<UsageRecord> = {}): UsageRecord {
  return {
    purpose: 'chat',
    agentId: null,
    memberRunId: null,
    costMicros: 12,
    llmConfigId: newId(LlmConfigId),
    modelId: 'sandbox-1',
    attempt: 1,
    isFallback: false,
    inputTokens: 10,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 5,
    reasoningTokens: 0,
    usageIncomplete: false,
    latencyMs: 12,
    ttftMs: 3,
    ok: true,
    errorCode: null,
    internalMessage: null,
    note: null,
    providerMessage: null,
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
