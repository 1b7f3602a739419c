import { Ledger } from '@troupe/agents'
import type { Clock, ModelAttempt, ModelTarget, RunStore } from '@troupe/agents/ports'
import { ChatModelError } from '@troupe/agents/ports'
import { defaultModel, invalidField, isModelId, LlmConfigId, type NewId, RunId } from '@troupe/contract'
import type { ConnectionBody, ConnectionTest, TestLlmConfigurationBody } from '@troupe/contract/builder'
import { createChatModels } from '@troupe/models'
import type { SecretBox } from '@troupe/secrets'
import type { Database, LlmConfigurationRecord } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { findLlmConfiguration } from './change-llm-configuration.ts'
import { describedConnection, type OpenConnection } from './connection.ts'
import { fixOf } from './fixes.ts'

/** Dependencies of the operation. */
export interface TestConnectionParts {
  database: Pick<Database, 'read'> & { runs: Pick<RunStore, 'recordUsage'> }
  secretBox: SecretBox
  /** Refuses addresses of private networks. */
  outgoing: { fetch: typeof globalThis.fetch }
  newId: NewId
  clock: Clock
}

/** Enough for a reasoning model that thinks before it answers OK. */
const MAX_TOKENS = 1000
const TIMEOUT_MS = 30_000

/**
 * Calls a model once and reports the outcome. The call is in the ledger with the purpose `test`; a failed one is an
 * answer, not an error.
 *
 * @throws DomainError `validation_error` or `llm_configuration_not_found`
 */
export async function testConnection(
  parts: TestConnectionParts,
  caller: BuilderCaller,
  { modelId: wanted, ...given }: TestLlmConfigurationBody,
): Promise<ConnectionTest> {
  const { stored, connection } = await openConnection(parts, caller, given)
  const modelId = wanted ?? defaultModel(stored?.models ?? [])?.modelId
  if (modelId === undefined || !isModelId(modelId)) {
    throw invalidField('modelId', modelId === undefined ? 'is required' : 'is not the id of a model')
  }
  const attempts: ModelAttempt[] = []
  const id = stored?.id ?? parts.newId(LlmConfigId)
  const target = targetOf({ ...connection, llmConfigId: id, version: 1 }, modelId)
  const { reply, failure } = await callOnce(parts, target, (attempt) => attempts.push(attempt))
  await record(parts, caller, { stored, modelId, attempts })
  const [attempt] = attempts
  return {
    ok: failure === null,
    firstTokenMs: attempt?.ttftMs == null ? null : Math.round(attempt.ttftMs),
    latencyMs: Math.round(attempt?.latencyMs ?? 0),
    reply,
    error:
      failure &&
      fixOf(
        failure.code ?? attempt?.errorCode ?? 'invalid_request',
        failure.message,
        attempt?.providerMessage ?? null,
      ),
  }
}

/**
 * The connection that a request describes.
 *
 * @throws DomainError `validation_error` or `llm_configuration_not_found`
 */
export async function openConnection(
  { database, secretBox }: Pick<TestConnectionParts, 'database' | 'secretBox'>,
  { organizationId }: BuilderCaller,
  { llmConfigId, ...given }: ConnectionBody,
): Promise<{ stored: LlmConfigurationRecord | null; connection: OpenConnection }> {
  const stored =
    llmConfigId === undefined ? null : await findLlmConfiguration(database.read, organizationId, llmConfigId)
  return { stored, connection: describedConnection(secretBox, stored, given) }
}

/** `code` is null if the attempt has one. */
interface TestFailure {
  code: string | null
  message: string
}

const SILENCE: TestFailure = { code: 'empty_response', message: 'The model returned an empty answer.' }

/** A separate registry and separate circuits: a test must neither wait for runs nor disturb them. */
async function callOnce(
  { outgoing, clock }: TestConnectionParts,
  target: ModelTarget,
  onAttempt: (attempt: ModelAttempt) => void,
): Promise<{ reply: string | null; failure: TestFailure | null }> {
  const times = { firstTokenTimeoutMs: TIMEOUT_MS, idleTimeoutMs: TIMEOUT_MS, callTimeoutMs: TIMEOUT_MS }
  const model = createChatModels({ fetch: outgoing.fetch, clock }).open({
    chain: { targets: [target], retry: { attemptsPerModel: 1, ...times }, midStream: 'fail' },
    observer: { onAttempt, onFailover() {}, onReset() {} },
    deadlineAt: clock.now() + TIMEOUT_MS,
    agentName: 'Connection test',
  })
  try {
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Reply with: OK' }] }]
    const { stream } = await model.doStream({ prompt })
    let reply = ''
    let hasThought = false
    for await (const part of stream) {
      if (part.type === 'error') throw part.error
      if (part.type === 'text-delta') reply += part.delta
      if (part.type === 'reasoning-delta') hasThought = true
    }
    if (reply.trim() !== '') return { reply, failure: null }
    // A reasoning model may use up all its tokens before it answers.
    return hasThought ? { reply: '', failure: null } : { reply: null, failure: SILENCE }
  } catch (error) {
    if (!(error instanceof ChatModelError)) throw error
    return { reply: null, failure: { code: null, message: error.message } }
  }
}

function targetOf(connection: ModelTarget['connection'], modelId: string): ModelTarget {
  return {
    connection,
    modelId,
    contextLength: null,
    parameters: {
      temperature: null,
      topP: null,
      maxOutputTokens: MAX_TOKENS,
      seed: null,
      stopSequences: null,
      reasoningEffort: null,
      providerOptions: {},
    },
    on: [],
  }
}

async function record(
  { database, newId }: TestConnectionParts,
  { organizationId }: BuilderCaller,
  call: { stored: LlmConfigurationRecord | null; modelId: string; attempts: readonly ModelAttempt[] },
): Promise<void> {
  const ledger = new Ledger()
  const model = call.stored?.models.find(({ modelId }) => modelId === call.modelId) ?? null
  const nobody = { agentId: null, memberRunId: null }
  const usage = call.attempts.map((attempt) => ledger.add(attempt, 'test', model, nobody))
  const projectId = call.stored?.projectId ?? null
  await database.runs.recordUsage({
    runId: newId(RunId),
    organizationId,
    projectId,
    userId: '',
    tag: null,
    usage,
  })
}
