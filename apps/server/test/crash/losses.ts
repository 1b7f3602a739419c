import { isDeepStrictEqual } from 'node:util'
import type { StreamEvent } from '@troupe/contract'
import type { ModelServer } from '@troupe/test-kit/model-server'
import type { Customer } from './customer.ts'
import { repeat, replyTo, resume, runOnce, type Sent } from './traffic.ts'

/** The error of a run that ended with its process. */
const LOST_ERROR = 'upstream_error'

function name({ kind, runId, message, sessionId, status }: Sent): string {
  return `${kind} ${runId ?? '(id unknown)'} ${message} of session ${sessionId} (status ${status})`
}

function lastName(events: readonly StreamEvent[]): string {
  return events.at(-1)?.event ?? 'nothing'
}

/** Differences between the events seen by a reader and the later log: their common part must be equal, and numbered without a gap. */
function replayProblems(sent: Sent, replayed: readonly StreamEvent[]): string[] {
  const problems: string[] = []
  const gap = replayed.findIndex((event, index) => event.seq !== index + 1)
  if (gap >= 0)
    problems.push(`${name(sent)}: the replay has number ${replayed[gap]?.seq} at place ${gap + 1}`)
  const last = replayed.at(-1)
  // The end of a lost run takes the number of an event that was sent and never written.
  const common = last?.event === 'RunError' ? replayed.slice(0, -1) : replayed
  for (const event of common) {
    const seen = sent.events[event.seq - 1]
    if (seen && !isDeepStrictEqual(seen, event)) {
      problems.push(
        `${name(sent)}: event ${event.seq} was ${JSON.stringify(seen)} and is now ${JSON.stringify(event)}`,
      )
    }
  }
  return problems
}

/** Repeats a request: an acknowledged response must be unchanged, any other must have an end. */
async function repeatProblems(origin: string, customer: Customer, sent: Sent): Promise<string[]> {
  const again = await repeat(origin, customer, sent)
  const said = `${again.status} ${again.error ?? (again.result ? 'with a result' : `ending with ${lastName(again.events)}`)}`
  if (sent.result) {
    const same = isDeepStrictEqual(again.result, sent.result)
    const problems = same ? [] : [`${name(sent)} was acknowledged and its repetition answers ${said}`]
    if (sent.kind === 'run-stream' && !isDeepStrictEqual(again.events, sent.events)) {
      problems.push(`${name(sent)} was read to its end and its replay differs`)
    }
    return problems
  }
  const sameRun = sent.runId !== null && sent.runId === again.runId
  if (sent.kind === 'run-stream' && sent.runId && !sameRun) {
    return [`${name(sent)} had begun, and its repetition is another run ${again.runId}`]
  }
  const problems = sameRun ? replayProblems(sent, again.events) : []
  if (again.result || again.error === LOST_ERROR || lastName(again.events) === 'RunCancelled') return problems
  return [...problems, `${name(sent)} has no end: its repetition answers ${said}`]
}

async function resumeProblems(origin: string, customer: Customer, sent: Sent): Promise<string[]> {
  if (sent.kind !== 'run-stream' || !sent.runId || sent.result) return []
  const rest = await resume(origin, customer, sent)
  const ended = ['RunCompleted', 'RunError', 'RunCancelled'].includes(lastName(rest))
  return ended
    ? []
    : [`${name(sent)} was resumed after event ${sent.events.length} and ended with ${lastName(rest)}`]
}

/** Every request that lost something: an acknowledged response, its events, or its end. Empty without losses. */
export async function lostRequests(
  origin: string,
  customer: Customer,
  sent: readonly Sent[],
): Promise<string[]> {
  const problems = await Promise.all(
    sent.map(async (one) => [
      ...(await repeatProblems(origin, customer, one)),
      ...(await resumeProblems(origin, customer, one)),
    ]),
  )
  return problems.flat()
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return String(content ?? '')
  return content.map((part: { text?: string }) => part.text ?? '').join('')
}

/** Reasons for which a provider would refuse a prompt. */
function invalidPrompt(messages: readonly { role: string; content: unknown }[]): string[] {
  const turns = messages[0]?.role === 'system' ? messages.slice(1) : messages
  const problems = turns.flatMap(({ role }, index) => {
    const expected = index % 2 === 0 ? 'user' : 'assistant'
    return role === expected ? [] : [`message ${index} is of ${role} instead of ${expected}`]
  })
  if (turns.length % 2 === 0) problems.push('the last message is not of the user')
  for (const [index, { content }] of messages.entries()) {
    if (textOf(content).trim() === '') problems.push(`message ${index} is empty`)
  }
  return problems
}

/**
 * Runs every session again and reads the requests to the model: every acknowledged run must be included, no failed run may be,
 * and the prompt must be valid for any provider.
 */
export async function lostHistory(
  origin: string,
  customer: Customer,
  model: ModelServer,
  sent: readonly Sent[],
): Promise<string[]> {
  const sessions = [...new Set(sent.map(({ sessionId }) => sessionId))]
  const problems = await Promise.all(
    sessions.map(async (sessionId) => {
      const next = await runOnce(origin, customer, sessionId)
      if (next.status !== 200) return [`session ${sessionId} does not go on: ${next.status} ${next.error}`]
      const prompt = model.requests.find(
        ({ body }) => textOf(body.messages?.at(-1)?.content) === next.message,
      )
      const messages = prompt?.body.messages ?? []
      const texts = messages.map(({ content }) => textOf(content))
      const found = invalidPrompt(messages).map((problem) => `the prompt of session ${sessionId}: ${problem}`)
      for (const one of sent.filter((candidate) => candidate.sessionId === sessionId)) {
        const at = texts.indexOf(one.message)
        const whole = at >= 0 && texts[at + 1] === replyTo(one.message)
        if (one.result && !whole) found.push(`${name(one)} was acknowledged and is not in the history`)
        if (one.error === LOST_ERROR && at >= 0) found.push(`${name(one)} failed and is in the history`)
      }
      return found
    }),
  )
  return problems.flat()
}
