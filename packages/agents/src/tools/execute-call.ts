import { journalStep } from '@troupe/durable-work'
import { Type } from 'typebox'
import type { Tool, ToolCall, ToolOutcome } from '../ports/tool.ts'
import { type ActingAgent, sourceOf } from '../run/acting-agent.ts'
import type { RunContext, RunIdentity } from '../run/run-context.ts'
import { TOOL_OUTCOME } from '../run/step-shapes.ts'
import { callTool, errorResult } from './call-tool.ts'
import { callHash } from './loop-guard.ts'
import { shorten } from './shorten.ts'

const SHOWN_RESULT_BYTES = 8 * 1024

/** An outcome; if the tool was called, with its duration in milliseconds, and its start (since the epoch). */
export type TimedOutcome = ToolOutcome & { ms?: number; startedAt?: number }

const TOOL_CALL = journalStep(
  'tool_call',
  1,
  Type.Intersect([
    TOOL_OUTCOME,
    Type.Object({ ms: Type.Optional(Type.Number()), startedAt: Type.Optional(Type.Number()) }),
  ]),
)

/** Records that a call which must not be repeated has begun. */
const STARTED_TOOL_CALL = journalStep('started_tool_call', 1, Type.Literal(true))

/** The text of an outcome in the prompt. */
export function toolResultText(outcome: ToolOutcome, maxBytes: number): string {
  if (outcome.ok) return shorten(outcome.text, maxBytes)
  const { code, message, body } = outcome
  return JSON.stringify({ error: { code, message, body } })
}

/** Why a person does not permit the call; null if permitted. A call of an earlier turn keeps its verdict. */
async function refusal(
  { services, journal }: Pick<RunContext, 'services' | 'journal'>,
  actor: ActingAgent,
  { name, approval }: Tool,
  args: Record<string, unknown>,
  call: ToolCall,
): Promise<string | null> {
  if (approval === null || journal.has(call.key)) return null
  const stepKey = `${call.key}:approval`
  if (!journal.has(stepKey) && !approval.isNeeded(args)) return null
  const { status, reason } = await services.approvals.decide({
    actor,
    stepKey,
    toolCallId: call.id,
    toolName: name,
    args,
    argsHash: callHash(name, args),
    timeoutSeconds: approval.timeoutSeconds,
    emails: approval.emails,
    signal: call.signal,
  })
  switch (status) {
    case 'approved':
      return null
    case 'denied':
      return `denied: ${reason ?? 'a person rejected this call.'}`
    case 'expired':
      return `denied: ${reason ?? 'nobody approved this call in time.'}`
    default:
      return status satisfies never
  }
}

/** Why a test does not permit the call; null if permitted. */
function refusedInTest(
  { deniesEffects = false }: RunIdentity,
  { approval }: Tool,
  { mayAct, input }: { mayAct: boolean; input: Record<string, unknown> },
): string | null {
  const asks = approval?.isNeeded(input) ?? false
  return deniesEffects && (mayAct || asks) ? 'denied: this is a test' : null
}

/**
 * Executes one call once, after its approval where it needs one. A committed result is not repeated, and a call started
 * by a lost worker is repeated only if that is harmless.
 *
 * @throws the reason of the run's signal, SliceEnded, or TurnParked.
 */
export async function executeCall(
  ctx: RunContext,
  actor: ActingAgent,
  tool: Tool,
  input: Record<string, unknown>,
  call: ToolCall,
): Promise<TimedOutcome> {
  const started = `${call.key}:started`
  const wasStarted = ctx.journal.has(started)
  if (tool.rebuildsState && ctx.journal.has(call.key)) return callTool(tool, input, call)
  const names = { source: sourceOf(actor), toolCallId: call.id, toolName: tool.name }
  const failed = (code: string, message: string) =>
    ctx.output.events?.emit('ToolCallError', { ...names, error: { code, message } })
  const mayAct = tool.acts ?? !tool.idempotent
  const refused =
    refusedInTest(ctx.identity, tool, { mayAct, input }) ?? (await refusal(ctx, actor, tool, input, call))
  const isReplayed = ctx.journal.has(call.key)
  const outcome = await ctx.journal.once(TOOL_CALL, call.key, async (): Promise<TimedOutcome> => {
    if (refused !== null) {
      failed('denied', refused)
      return errorResult('denied', refused)
    }
    if (!tool.idempotent) {
      if (wasStarted) {
        const message = 'The server stopped during this call: outcome unknown.'
        failed('unknown_outcome', message)
        if (mayAct) ctx.output.acted?.set(call.key, tool.name)
        return errorResult('unknown_outcome', message)
      }
      await ctx.journal.once(STARTED_TOOL_CALL, started, async () => true as const)
    }
    ctx.output.events?.emit('ToolCallStarted', { ...names, args: input })
    // Recorded before the call, because an interrupted one may also have had effects.
    if (mayAct) ctx.output.acted?.set(call.key, tool.name)
    const startedAt = ctx.now()
    const outcome = await callTool(tool, input, call)
    const durationMs = Math.max(0, Math.round(ctx.now() - startedAt))
    if (outcome.ok) {
      const result = shorten(outcome.text, SHOWN_RESULT_BYTES)
      const truncated = result !== outcome.text
      ctx.output.events?.emit('ToolCallCompleted', { ...names, result, truncated, durationMs })
    } else {
      failed(outcome.code, outcome.message)
    }
    return { ...outcome, ms: durationMs, startedAt }
  })
  if (isReplayed && mayAct) ctx.output.acted?.set(call.key, tool.name)
  if (wasNotMade(outcome)) ctx.output.acted?.delete(call.key)
  return outcome
}

/** Whether a call certainly never left this server. */
function wasNotMade(outcome: ToolOutcome): boolean {
  return !outcome.ok && (outcome.code === 'denied' || outcome.code === 'missing_context')
}
