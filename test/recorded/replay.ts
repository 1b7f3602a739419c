import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { propertyOf } from '@troupe/contract'
import { type BodyServer, framed, inWrites, PROVIDER_WIRES } from '@troupe/test-kit/provider-streams'
import type { TestServer } from '@troupe/test-kit/server'
import { type ExpectedAnswer, expectedAnswer } from './expected-answer.ts'
import type { Recording } from './recordings.ts'
import { brokenRules } from './request-rules.ts'

/** The ways of a caller. */
export const WAYS = ['run', 'stream', 'job', 'second message'] as const
export type Way = (typeof WAYS)[number]

const MODEL = 'recorded'
/** The model's response after a recorded call, and to a second message. */
const LATER = 'Hello there'

/** The end of a run, for every way of the caller. */
interface Outcome {
  ok: boolean
  content: string
  message: string
  runId: string
}

/** A setting in which recordings are replayed. */
export interface Stage {
  server: TestServer
  models: BodyServer
}

/** An agent whose model is served by a stage, with the tools called in a recording. */
export async function agentFor(stage: Stage, recording: Recording): Promise<string> {
  const { server, models } = stage
  const slug = `recorded-${randomUUID().slice(0, 12)}`
  const configuration = await must(
    server.call(`POST /api/builder/v1/organizations/${server.seed.organizationId}/llm-configurations`, {
      key: null,
      headers: { authorization: `Bearer ${server.adminToken}` },
      body: {
        slug,
        name: slug,
        providerId: recording.providerId,
        baseUrl: models.url,
        settings: recording.settings,
        credentials: { apiKey: 'the-key-of-a-test' },
        models: [{ modelId: MODEL, displayName: MODEL, contextLength: 200_000, maxOutputTokens: 8_000 }],
      },
    }),
  )
  const names = [...new Set(expectedAnswer(recording).calls.map(({ name }) => name))]
  const tools = names.map((name) => ({
    type: 'code',
    name,
    description: 'A tool of a recording.',
    source: 'export default () => ({ done: true })',
    input_schema: { type: 'object', properties: {}, additionalProperties: true },
  }))
  const primary = { llm_config_id: propertyOf(configuration, 'llmConfigId'), model_id: MODEL }
  const config = { model: { primary, retry: { attempts_per_model: 1 } }, tools }
  const agent = await must(server.call('POST /api/v1/agents', { body: { name: 'Recorded', config } }))
  return String(propertyOf(agent, 'agentId'))
}

/** Bytes at the beginning and the end of a recording that are sent in small writes. */
const SMALL_WRITES = 16 * 1024

/** A long recording in single bytes takes longer than a caller waits, so its middle is sent in writes of 61. */
function writesOf(body: Uint8Array, size: number): Uint8Array[] {
  if (size > 1 || body.length <= 2 * SMALL_WRITES) return inWrites(body, size)
  const end = body.length - SMALL_WRITES
  return [
    ...inWrites(body.subarray(0, SMALL_WRITES), 1),
    ...inWrites(body.subarray(SMALL_WRITES, end), 61),
    ...inWrites(body.subarray(end), 1),
  ]
}

/** Replays a recording in one way, in writes of `size` bytes; returns the faults. */
export async function replay(
  stage: Stage,
  { recording, agentId }: { recording: Recording; agentId: string },
  { way, size }: { way: Way; size: number },
): Promise<string[]> {
  const { models } = stage
  const expected = expectedAnswer(recording)
  const recorded = { contentType: recording.contentType, body: writesOf(recording.body, size) }
  models.reset()
  models.play(recorded, laterAnswer(recording))
  const sessionId = `s-${randomUUID()}`
  const outcome = await ask(stage, agentId, { way, sessionId, message: 'What is the weather?' })
  const wrong = outcomeFaults(outcome, expected)
  wrong.push(...(await ledgerFaults(stage, outcome, expected)))
  if (way === 'second message' && outcome.ok) {
    models.play(laterAnswer(recording))
    const second = await ask(stage, agentId, { way, sessionId, message: 'And tomorrow?' })
    if (second.content !== LATER) wrong.push(`the second message: ${second.message || second.content}`)
  }
  for (const [index, request] of models.requests.entries()) {
    for (const rule of brokenRules(recording, request.body)) wrong.push(`request ${index + 1}: ${rule}`)
  }
  return wrong
}

function outcomeFaults(outcome: Outcome, { end, text, calls }: ExpectedAnswer): string[] {
  const { ok, content, message } = outcome
  if (end === 'broken')
    return ok ? [`half an answer is a success: ${JSON.stringify(content.slice(0, 80))}`] : []
  // A refusal, and an empty answer, are failures with a message.
  if (!ok)
    return end === 'refused' || (text.trim() === '' && calls.length === 0) ? [] : [`it failed: ${message}`]
  const wanted = calls.length > 0 ? LATER : text
  return content === wanted
    ? []
    : [`the content is ${JSON.stringify(content.slice(0, 80))}, not ${JSON.stringify(wanted.slice(0, 80))}`]
}

/** Faults of the first call's tokens in the ledger. */
async function ledgerFaults(
  { server }: Stage,
  { ok, runId }: Outcome,
  expected: ExpectedAnswer,
): Promise<string[]> {
  if (!ok || expected.inputTokens === undefined) return []
  const root = `/api/builder/v1/organizations/${server.seed.organizationId}`
  const headers = { authorization: `Bearer ${server.adminToken}` }
  const run = await must(server.call(`GET ${root}/runs/${runId}`, { key: null, headers }))
  const [call] = propertyOf(propertyOf(run, 'agentRun'), 'calls') as unknown[]
  const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = expected
  const wanted = { inputTokens, outputTokens, cachedTokens, cacheWriteTokens, reasoningTokens }
  return Object.entries(wanted)
    .filter(([name, count]) => !isDeepStrictEqual(propertyOf(call, name), count))
    .map(([name, count]) => `${name} is ${propertyOf(call, name)} in the ledger, ${count} in the recording`)
}

function laterAnswer({ providerId, settings, protocol }: Recording) {
  const wire = PROVIDER_WIRES.find(
    (one) => one.providerId === providerId && one.settings.api === settings.api && protocol !== null,
  )
  if (!wire) throw new Error(`no later answer of ${providerId}`)
  return { body: framed(wire.framing, wire.text, wire.done) }
}

async function ask(
  { server }: Stage,
  agentId: string,
  { way, sessionId, message }: { way: Way; sessionId: string; message: string },
): Promise<Outcome> {
  const body = { message, session_id: sessionId }
  const path = `/api/v1/agents/${agentId}`
  if (way === 'stream') return streamedOutcome(await eventsOf(server, `${path}/run-stream`, body))
  if (way === 'job') {
    const job = await must(server.call(`POST ${path}/run-async`, { body }))
    for (;;) {
      const answer = await must(server.call(`GET /api/v1/jobs/${propertyOf(job, 'jobId')}`))
      const status = propertyOf(answer, 'status')
      if (status !== 'queued' && status !== 'running') return outcomeOf(answer, status === 'completed')
      await pause(10)
    }
  }
  const answer = await server.call(`POST ${path}/run`, { body })
  if (answer.status === 500) return { ok: true, content: '500', message: '500', runId: '' }
  return outcomeOf(answer.body, answer.status === 200)
}

function outcomeOf(body: unknown, ok: boolean): Outcome {
  const result = propertyOf(body, 'result') ?? body
  return {
    ok,
    content: String(propertyOf(result, 'content') ?? ''),
    message: JSON.stringify(propertyOf(body, 'error') ?? '') + String(propertyOf(body, 'message') ?? ''),
    runId: String(
      propertyOf(result, 'runId') ?? propertyOf(body, 'runId') ?? propertyOf(body, 'jobId') ?? '',
    ),
  }
}

/** A stream needs a connection: without one, its end would not be visible. */
async function eventsOf({ app, seed }: TestServer, path: string, body: object): Promise<string> {
  const { port } = app.server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': seed.keys.organization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.text()
}

/** The last event of a stream. */
function streamedOutcome(body: string): Outcome {
  const events = body
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => JSON.parse(line.slice(5)) as unknown)
  const last = events.at(-1)
  return outcomeOf(last, propertyOf(last, 'event') === 'RunCompleted')
}

async function must(asked: Promise<{ status: number; body: unknown }>): Promise<unknown> {
  const { status, body } = await asked
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}
