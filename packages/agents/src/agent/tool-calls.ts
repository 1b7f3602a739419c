import { forEachConcurrently } from '@troupe/durable-work'
import type { StoredToolCall } from '../ports/run-store.ts'
import type { Tool } from '../ports/tool.ts'
import type { ActingAgent } from '../run/acting-agent.ts'
import type { ModelToolCall } from '../run/call-model.ts'
import type { RunContext } from '../run/run-context.ts'
import { errorResult } from '../tools/call-tool.ts'
import { executeCall, type TimedOutcome } from '../tools/execute-call.ts'
import { readArguments } from '../tools/read-arguments.ts'

const CALLS_AT_ONCE = 8

/** A model's call under a generated id, with the reason not to execute it. */
export interface PlannedCall {
  stored: StoredToolCall
  key: string
  tool: Tool | null
  input: Record<string, unknown>
  /** The problem with the arguments; null if they are valid. */
  problem: string | null
  /** Why the tool could not be called when the step began: changes made by calls of the same step apply from the next one. */
  refusal: string | null
}

/** The calls of a step under generated ids: providers reuse theirs. */
export function planCalls(
  toolCalls: readonly ModelToolCall[],
  step: number,
  keyPrefix: string,
  tools: ReadonlyMap<string, Tool>,
): PlannedCall[] {
  return toolCalls.map(({ name, input: text }, index) => {
    const read = readArguments(text)
    const input = read.ok ? read.input : {}
    const tool = tools.get(name) ?? null
    return {
      stored: { id: `call_${step}_${index}`, name, arguments: input },
      key: `${keyPrefix}call:${step}.${index}`,
      tool,
      input,
      refusal: tool?.refusal?.() ?? null,
      problem: read.ok ? (tool?.problemOf(input) ?? null) : read.problem,
    }
  })
}

/** The caller, and its remaining limits. */
export interface CallConditions {
  actor: ActingAgent
  signal: AbortSignal
  parallel: boolean
  /** Calls that the loop guard refuses as repetitions. */
  refused: ReadonlySet<PlannedCall>
  /** Number of further calls that the limit allows. */
  room: number
  /** Whether the step was cut off before its calls were complete, so that none is executed. */
  isCut: boolean
}

const CUT =
  'The answer was cut off before its calls were complete, so that none was executed. Call again with complete arguments, ' +
  'or say less.'

/**
 * Executes the calls of a step, concurrently where allowed, and returns their outcomes in order. A call that
 * cannot be executed has an outcome too.
 *
 * @throws the signal's reason, or SliceEnded.
 */
export async function performCalls(
  ctx: RunContext,
  calls: readonly PlannedCall[],
  { actor, signal, parallel, refused, room, isCut }: CallConditions,
): Promise<TimedOutcome[]> {
  const perform = async (call: PlannedCall, index: number): Promise<TimedOutcome> => {
    // A call that ended in an earlier turn keeps its outcome, even if the tool has other arguments by now.
    const isDone = ctx.journal.has(call.key)
    if (isCut && !isDone) return errorResult('incomplete', CUT)
    if (!call.tool) return errorResult('unknown_tool', `There is no tool named ${call.stored.name}.`)
    if (call.refusal !== null) return errorResult('denied', call.refusal)
    if (call.problem !== null && !isDone) return errorResult('invalid_arguments', call.problem)
    if (refused.has(call)) return errorResult('repeated', 'Stop repeating; answer with what you have.')
    if (index >= room) {
      return errorResult('denied', 'The limit of tool calls is reached; answer with what you have.')
    }
    return executeCall(ctx, actor, call.tool, call.input, { id: call.stored.id, key: call.key, signal })
  }
  const outcomes: TimedOutcome[] = new Array(calls.length)
  await forEachConcurrently(calls, parallel ? CALLS_AT_ONCE : 1, async (call, index) => {
    outcomes[index] = await perform(call, index)
  })
  return outcomes
}
