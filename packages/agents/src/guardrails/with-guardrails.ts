import { journalStep } from '@troupe/durable-work'
import { Type } from 'typebox'
import { type ActingAgent, sourceOf } from '../run/acting-agent.ts'
import { type Channel, MessageWriter } from '../run/message-writer.ts'
import type { RunContext, RunOutput } from '../run/run-context.ts'
import { StreamedAnswer } from '../run/streamed-answer.ts'
import type { Transcript } from '../run/transcript.ts'
import { checkText, type Guarded } from './check-text.ts'
import { heldEvents } from './held-events.ts'
import { bothGates, InputBlocked, type InputGate } from './input-gate.ts'

/** The stored text of a blocked user message: a model must not read the original in a later turn. */
const BLOCKED_INPUT = '[blocked]'

/** Work on a user message whose result is a text. */
export interface GuardedWork<T> {
  message: string
  channel: Channel
  transcript: Transcript
  /** Default: the run's own signal. */
  signal?: AbortSignal
  /** Called before the work if the stored message differs from the original. */
  onInput(stored: string): void
  perform(ctx: RunContext, message: string): Promise<T>
}

/** The user message of the root run, and the destination of its answer. */
export function rootMessage(
  { input, transcript }: RunOutput,
  message: string,
): Pick<GuardedWork<unknown>, 'message' | 'channel' | 'transcript' | 'onInput'> {
  return {
    message,
    channel: 'answer',
    transcript,
    onInput(stored) {
      input.replaced = stored
      transcript.replaceUser(stored)
    },
  }
}

/** The text of some work as shown. */
export interface ShownText {
  text: string
  messageId: string | null
}

/** The outcome of guarded work. */
export type GuardedResult<T> =
  | ({ blocked: false; result: T } & ShownText)
  | ({ blocked: true; result: null } & ShownText)

/** The text that is shown after the checks. */
const CHECKED_TEXT = journalStep(
  'checked_text',
  1,
  Type.Object({ messageId: Type.String(), at: Type.Number() }),
)

/** Writes a text that replaces everything shown before; once over all turns of a job. */
async function release(
  ctx: RunContext,
  { actor, keyPrefix }: Guarded,
  { text, channel, voided }: { text: string; channel: Channel; voided: readonly string[] },
): Promise<{ messageId: string; at: number }> {
  const key = `${keyPrefix}guard:released`
  const replayed = ctx.journal.has(key)
  for (const messageId of voided) ctx.output.answer.reset(messageId)
  const record = await ctx.journal.once(CHECKED_TEXT, key, async () => {
    const source = sourceOf(actor)
    for (const messageId of voided) {
      ctx.output.events?.emit('RunContentReset', { source, messageId, reason: 'guardrail' })
    }
    const writer = new MessageWriter(ctx.output, source, channel)
    writer.append(text)
    return { messageId: writer.messageId, at: ctx.now() }
  })
  if (replayed && channel === 'answer') ctx.output.answer.append(record.messageId, text)
  return record
}

const authorOf = ({ agentId, name }: ActingAgent) => ({ agentId, name })

/** Answers with a rule's message instead of working. */
async function refuse<T>(
  ctx: RunContext,
  guarded: Guarded,
  { channel, transcript, onInput }: GuardedWork<T>,
  text: string,
): Promise<GuardedResult<T>> {
  onInput(BLOCKED_INPUT)
  const { messageId, at } = await release(ctx, guarded, { text, channel, voided: [] })
  transcript.assistant(authorOf(guarded.actor), text, {}, at)
  return { blocked: true, result: null, text, messageId }
}

/** The check of rules beside the first model call; null without such rules. */
interface BesideCheck extends AsyncDisposable {
  gate: InputGate
}

async function startBeside(
  ctx: RunContext,
  guarded: Guarded,
  message: string,
  given: AbortSignal,
): Promise<BesideCheck | null> {
  const rules = guarded.rules.input.filter(({ run }) => run === 'parallel')
  if (rules.length === 0) return null
  const unneeded = new AbortController()
  const signal = AbortSignal.any([given, unneeded.signal])
  const key = 'input:parallel'
  const replayed = ctx.journal.has(`${guarded.keyPrefix}guard:${key}`)
  const checked = checkText(ctx, guarded, { stage: 'input', rules, key }, { text: message, signal })
  // A waiter at the gate sees the failure; without one, this handler prevents an unhandled rejection.
  checked.catch(() => {})
  const gate = async () => {
    const { blocked } = await checked
    if (blocked !== null) throw new InputBlocked(blocked)
  }
  // A resumed job already knows the verdict, so no model is called beside the work.
  if (replayed) await gate()
  return {
    gate,
    async [Symbol.asyncDispose]() {
      unneeded.abort()
      await checked.catch(() => {})
    },
  }
}

/** Checks the final text; shows it if it was held back, and its replacement if it is blocked. */
async function finish<T extends ShownText>(
  ctx: RunContext,
  guarded: Guarded,
  { channel, transcript, signal }: GuardedWork<T>,
  { result, held }: { result: T; held: boolean },
): Promise<GuardedResult<T>> {
  const rules = guarded.rules.output
  const { text, messageId } = result
  if (rules.length === 0) return { blocked: false, result, text, messageId }
  const given = { text, ...(signal && { signal }) }
  const verdict = await checkText(ctx, guarded, { stage: 'output', rules, key: 'output' }, given)
  const released = verdict.blocked ?? verdict.text
  const stays = !held && released === text
  if (stays) return { blocked: false, result, text, messageId }
  const shown = channel === 'answer' ? ctx.output.answer.messageIds : messageId === null ? [] : [messageId]
  const voided = held ? [] : shown
  const written = await release(ctx, guarded, { text: released, channel, voided })
  if (released !== text) transcript.replaceAnswer(authorOf(guarded.actor), released, written.at)
  const now = { text: released, messageId: written.messageId }
  return verdict.blocked === null
    ? { blocked: false, result, ...now }
    : { blocked: true, result: null, ...now }
}

/**
 * Does work under the rules of its actor. Blocking input rules see the message first, the others run beside the first
 * model call, whose result waits for them. With a blocking output rule, no text is shown before it was checked.
 *
 * @throws the errors of the work, the signal's reason, or SliceEnded.
 */
export async function withGuardrails<T extends ShownText>(
  ctx: RunContext,
  guarded: Guarded,
  work: GuardedWork<T>,
): Promise<GuardedResult<T>> {
  const { message, signal = ctx.signal } = work
  const { input, output } = guarded.rules
  const first = input.filter(({ run }) => run !== 'parallel')
  const verdict =
    first.length === 0
      ? { text: message, blocked: null }
      : await checkText(
          ctx,
          guarded,
          { stage: 'input', rules: first, key: 'input' },
          { text: message, signal },
        )
  if (verdict.blocked !== null) return refuse(ctx, guarded, work, verdict.blocked)
  if (verdict.text !== message) work.onInput(verdict.text)
  const held = output.some(({ run }) => run !== 'parallel')
  try {
    await using beside = await startBeside(ctx, guarded, verdict.text, signal)
    const inner: RunContext = {
      ...ctx,
      output: {
        ...ctx.output,
        gate: bothGates(ctx.output.gate, beside?.gate ?? null),
        ...(output.length > 0 && { hidesDrafts: true }),
        ...(held && {
          answer: new StreamedAnswer(),
          events: heldEvents(ctx.output.events, guarded.actor.runId),
        }),
      },
    }
    const result = await work.perform(inner, verdict.text)
    await beside?.gate()
    return await finish(ctx, guarded, work, { result, held })
  } catch (error) {
    if (error instanceof InputBlocked && !(await isBlocked(ctx.output.gate)))
      return refuse(ctx, guarded, work, error.answer)
    throw error
  }
}

/** Whether an enclosing run's own rules have blocked its message. */
async function isBlocked(gate: InputGate | null): Promise<boolean> {
  try {
    await gate?.()
    return false
  } catch {
    return true
  }
}
