import { randomUUID } from 'node:crypto'
import { type AgentRunResult, propertyOf, type StreamEvent } from '@troupe/contract'
import type { ModelServer } from '@troupe/test-kit/model-server'
import { readEvents } from '../runs/event-reader.ts'
import type { Customer } from './customer.ts'

/** One request and the caller's view of it so far. */
export interface Sent {
  kind: 'run' | 'run-stream'
  sessionId: string
  message: string
  idempotencyKey: string
  /** null before the status line. */
  status: number | null
  /** The code of an error response. */
  error: string | null
  /** The result given to the caller: from here on it must never be lost. */
  result: AgentRunResult | null
  runId: string | null
  events: StreamEvent[]
  /** Resolves when the caller has its response, or has lost its connection. */
  ended: Promise<void>
}

/** The model's answer to a message. */
export function replyTo(message: string): string {
  return `You said ${message} and that is all there is to say.`
}

function between(least: number, most: number): number {
  return least + Math.floor(Math.random() * (most - least))
}

/** Makes the model server answer every message individually, after random delays of at most `slowestMs`. */
export function answerSlowly(model: ModelServer, slowestMs: number): void {
  model.respond((request) => ({
    text: replyTo(String(request.body.messages?.at(-1)?.content)),
    chunks: 5,
    firstTokenDelayMs: between(1, slowestMs / 2),
    paceMs: between(1, slowestMs / 10),
  }))
}

/** The request in the form of `fetch`; sending it again with the same `idempotencyKey` is a repetition. */
function toRequest(
  { key }: Customer,
  sent: Pick<Sent, 'message' | 'sessionId' | 'idempotencyKey'>,
): RequestInit {
  return {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': sent.idempotencyKey },
    body: JSON.stringify({ message: sent.message, session_id: sent.sessionId, include_messages: true }),
  }
}

async function follow(origin: string, customer: Customer, sent: Sent): Promise<void> {
  const url = `${origin}/api/v1/agents/${customer.agentId}/${sent.kind}`
  if (sent.kind === 'run') {
    const response = await fetch(url, toRequest(customer, sent))
    const body = (await response.json()) as AgentRunResult & { error?: string }
    sent.status = response.status
    if (response.status === 200) sent.result = body
    else sent.error = body.error ?? null
    sent.runId = sent.result?.runId ?? null
    return
  }
  // Requests every event, so that their numbers have no gap.
  const reader = await readEvents(`${url}?detail=full`, toRequest(customer, sent))
  sent.status = reader.status
  sent.runId = reader.headers.get('x-run-id')
  sent.events = reader.events
  await reader.ended
  if (reader.status !== 200) {
    sent.error = String(propertyOf(JSON.parse(reader.text()), 'error'))
    return
  }
  const last = sent.events.at(-1)
  if (last?.event === 'RunCompleted') sent.result = last.result as AgentRunResult
  if (last?.event === 'RunError') sent.error = last.error
}

function send(
  origin: string,
  customer: Customer,
  request: Pick<Sent, 'kind' | 'sessionId' | 'message' | 'idempotencyKey'>,
): Sent {
  const sent: Sent = {
    ...request,
    status: null,
    error: null,
    result: null,
    runId: null,
    events: [],
    ended: Promise.resolve(),
  }
  // These tests break connections on purpose.
  sent.ended = follow(origin, customer, sent).catch(() => {})
  return sent
}

/** Sends `count` concurrent runs, half of them streams, distributed over `sessions`. */
export function sendRuns(
  origin: string,
  customer: Customer,
  count: number,
  sessions: readonly string[],
): Sent[] {
  return Array.from({ length: count }, (_, index) =>
    send(origin, customer, {
      kind: index % 2 === 0 ? 'run' : 'run-stream',
      sessionId: sessions[Math.floor(index / 2) % sessions.length] ?? '',
      message: `<${randomUUID().slice(0, 13)}>`,
      idempotencyKey: randomUUID(),
    }),
  )
}

/** Sends a request again and waits for its end. */
export async function repeat(origin: string, customer: Customer, sent: Sent): Promise<Sent> {
  const again = send(origin, customer, sent)
  await again.ended
  return again
}

/** Sends one synchronous run and waits for its end. */
export async function runOnce(origin: string, customer: Customer, sessionId: string): Promise<Sent> {
  const [sent] = sendRuns(origin, customer, 1, [sessionId])
  await sent?.ended
  return sent as Sent
}

/** The events of a stream after the last one seen by its caller. */
export async function resume(origin: string, { agentId, key }: Customer, sent: Sent): Promise<StreamEvent[]> {
  const reader = await readEvents(
    `${origin}/api/v1/agents/${agentId}/runs/${sent.runId}/stream?detail=full`,
    {
      headers: { 'x-api-key': key, 'last-event-id': String(sent.events.at(-1)?.seq ?? 0) },
    },
  )
  await reader.ended
  return reader.events
}
