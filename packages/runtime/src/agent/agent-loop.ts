import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4ToolChoice,
} from '@ai-sdk/provider'
import { ChatModelError } from '../ports/chat-models.ts'
import type { ModelPurpose, StoredToolCall } from '../ports/run-store.ts'
import { type Actor, addSpent, sourceOf } from '../run/actor.ts'
import { forEachAtOnce } from '../run/at-once.ts'
import type { FinishReason } from '../run/call-model.ts'
import { type Channel, MessageWriter } from '../run/message-writer.ts'
import { type ModelStepResult, modelStep } from '../run/model-step.ts'
import type { RunContext } from '../run/run-context.ts'
import type { Transcript } from '../run/transcript.ts'
import { errorResult, executeCall, resultText } from '../tools/execute-call.ts'
import { LoopGuard } from '../tools/loop-guard.ts'
import { readArguments } from '../tools/read-arguments.ts'
import { MAX_RESULT_BYTES } from '../tools/shorten.ts'
import type { Tool, ToolOutcome } from '../tools/tool.ts'

const CALLS_AT_ONCE = 8

/** What a loop may do. */
export interface LoopLimits {
  maxSteps: number
  maxToolCalls: number
  parallelToolCalls: boolean
  /** Of the first step; later ones choose freely. */
  toolChoice: 'auto' | 'required' | 'none'
  /** The equal call of this number is refused, and the next step is the last. */
  repeatLimit: number
}

/** One actor's work on one task. */
export interface LoopRequest {
  actor: Actor
  /** Names the loop's steps in the journal; empty for the root run's own loop. */
  keyPrefix: string
  purpose: ModelPurpose
  prompt: LanguageModelV4Prompt
  tools: readonly Tool[]
  limits: LoopLimits
  channel: Channel
  transcript: Transcript
  /** Ends earlier than the run when given; aborts of the run must be part of it. */
  signal?: AbortSignal
  /** Sees the text on its way into the stream; the default writes it as it is. */
  openWriter?: () => MessageWriter
}

/** What a loop came to. */
export interface LoopResult {
  /** The text of the last step, and of no other. */
  text: string
  /** The message of the stream that holds the text, in whichever turn of a job it was written. */
  messageId: string
  finishReason: FinishReason
  toolsExecuted: number
}

/** A committed step: its answer, which of its messages stands, and when it ended. */
interface StepRecord extends ModelStepResult {
  messageId: string
  at: number
}

interface PlannedCall {
  stored: StoredToolCall
  key: string
  tool: Tool | null
  input: Record<string, unknown>
  problem: string | null
}

function functionTool({ name, description, inputSchema }: Tool): LanguageModelV4FunctionTool {
  return { type: 'function', name, description, inputSchema }
}

/** The model's last message and our results of its calls, as the next step's prompt continues. */
function traffic(
  text: string,
  calls: readonly { stored: StoredToolCall; result: string }[],
): LanguageModelV4Prompt {
  return [
    {
      role: 'assistant',
      content: [
        ...(text === '' ? [] : [{ type: 'text' as const, text }]),
        ...calls.map(({ stored }) => ({
          type: 'tool-call' as const,
          toolCallId: stored.id,
          toolName: stored.name,
          input: stored.arguments,
        })),
      ],
    },
    {
      role: 'tool',
      content: calls.map(({ stored, result }) => ({
        type: 'tool-result' as const,
        toolCallId: stored.id,
        toolName: stored.name,
        output: { type: 'text' as const, value: result },
      })),
    },
  ]
}

/**
 * The steps of an agent: call the model, execute what it calls, and again, until it answers in text. The last step that
 * the limits allow cannot call tools, so that there is always an answer. A tool never fails the loop.
 *
 * @throws ChatModelError (also for an empty answer), the signal's reason, or SliceEnded.
 */
export async function agentLoop(ctx: RunContext, request: LoopRequest): Promise<LoopResult> {
  const { actor, limits, transcript, signal = ctx.signal } = request
  const tools = new Map(request.tools.map((tool) => [tool.name, tool]))
  const guard = new LoopGuard(limits.repeatLimit)
  const prompt = [...request.prompt]
  let executed = 0
  let finalize = false
  for (let step = 0; ; step += 1) {
    const last = finalize || step + 1 >= limits.maxSteps || executed >= limits.maxToolCalls
    const answer = await runStep(ctx, request, { step, prompt, last })
    const calls = last ? [] : plan(answer, step, request.keyPrefix, tools)
    const stored = calls.map((call) => call.stored)
    transcript.assistant({ agentId: actor.agentId, name: actor.name }, answer.text, stored, answer.at)
    if (calls.length === 0) {
      if (answer.text === '') {
        throw new ChatModelError('empty_response', 'The model gave an empty answer.', answer.finishReason)
      }
      const { text, messageId, finishReason } = answer
      return { text, messageId, finishReason, toolsExecuted: executed }
    }
    const refused = new Set(calls.filter((call) => guard.refuses(call.stored.name, call.input)))
    if (refused.size > 0) finalize = true
    const room = limits.maxToolCalls - executed
    const outcomes: ToolOutcome[] = new Array(calls.length)
    const perform = async (call: PlannedCall, index: number): Promise<void> => {
      outcomes[index] = await perform1(call, index)
    }
    const perform1 = async (call: PlannedCall, index: number): Promise<ToolOutcome> => {
      if (!call.tool) return errorResult('unknown_tool', `There is no tool named ${call.stored.name}.`)
      if (call.problem !== null) return errorResult('invalid_arguments', call.problem)
      if (refused.has(call)) return errorResult('repeated', 'Stop repeating; answer with what you have.')
      if (index >= room)
        return errorResult('denied', 'The limit of tool calls is reached; answer with what you have.')
      return executeCall(ctx, actor, call.tool, call.input, { id: call.stored.id, key: call.key, signal })
    }
    await forEachAtOnce(calls, limits.parallelToolCalls ? CALLS_AT_ONCE : 1, perform)
    executed += Math.min(calls.length, room)
    const results = calls.map((call, index) => {
      const outcome = outcomes[index] as ToolOutcome
      const text = resultText(outcome, call.tool?.maxResultBytes ?? MAX_RESULT_BYTES)
      transcript.tool(
        { agentId: actor.agentId, name: actor.name },
        call.stored,
        { text, isError: !outcome.ok },
        ctx.now(),
      )
      return { stored: call.stored, result: text }
    })
    prompt.push(...traffic(answer.text, results))
  }
}

function choiceOf(limits: LoopLimits, step: number, last: boolean): LanguageModelV4ToolChoice {
  if (last) return { type: 'none' }
  return { type: step === 0 ? limits.toolChoice : 'auto' }
}

async function runStep(
  ctx: RunContext,
  request: LoopRequest,
  { step, prompt, last }: { step: number; prompt: LanguageModelV4Prompt; last: boolean },
): Promise<StepRecord> {
  const { actor, purpose, tools, limits, channel, signal, keyPrefix } = request
  const key = `${keyPrefix}step:${step}`
  const replayed = ctx.journal.has(key)
  const record = await ctx.journal.once(key, async (): Promise<StepRecord> => {
    const writer = request.openWriter?.() ?? new MessageWriter(ctx, sourceOf(actor), channel)
    const options = {
      tools: tools.map(functionTool),
      toolChoice: choiceOf(limits, step, last),
    }
    const answer = await modelStep(ctx, actor, {
      purpose,
      step,
      prompt,
      writer,
      ...(tools.length > 0 && { options }),
      ...(signal && { signal }),
    })
    const { messageId } = writer
    // Text beside tool calls is not the answer; it is voided before the step is committed, so that a log never ends with it.
    if (!last && answer.toolCalls.length > 0) writer.reset('tool_calls')
    return { ...answer, messageId, at: ctx.now() }
  })
  if (replayed) {
    addSpent(actor.spent, record.spent)
    if (channel === 'answer' && (last || record.toolCalls.length === 0)) {
      ctx.answer.append(record.messageId, record.text)
    }
  }
  return record
}

/** The calls of a step under our own ids: providers reuse theirs. */
function plan(
  answer: StepRecord,
  step: number,
  keyPrefix: string,
  tools: ReadonlyMap<string, Tool>,
): PlannedCall[] {
  return answer.toolCalls.map(({ name, input: text }, index) => {
    const read = readArguments(text)
    const input = read.ok ? read.input : {}
    const tool = tools.get(name) ?? null
    return {
      stored: { id: `call_${step}_${index}`, name, arguments: input },
      key: `${keyPrefix}call:${step}.${index}`,
      tool,
      input,
      problem: read.ok ? (tool?.problemOf(input) ?? null) : read.problem,
    }
  })
}
