import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4ToolChoice,
} from '@ai-sdk/provider'
import { isBlank, type ModelPurpose } from '@troupe/contract'
import { journalStep, schemaOf } from '@troupe/durable-work'
import { offeredSchema } from '@troupe/json-schema'
import { Type } from 'typebox'
import { ChatModelError } from '../ports/chat-models.ts'
import type { StepState } from '../ports/step-state.ts'
import type { Tool } from '../ports/tool.ts'
import { type ActingAgent, addSpent, sourceOf } from '../run/acting-agent.ts'
import { type FinishReason, isWholeStep } from '../run/call-model.ts'
import { emptyAnswer } from '../run/empty-answer.ts'
import { type Channel, MessageWriter } from '../run/message-writer.ts'
import { MODEL_STEP_RESULT, type ModelStepResult, modelStep } from '../run/model-step.ts'
import type { RunContext } from '../run/run-context.ts'
import type { CallClosing, Transcript } from '../run/transcript.ts'
import { type TimedOutcome, toolResultText } from '../tools/execute-call.ts'
import { LoopGuard } from '../tools/loop-guard.ts'
import { MAX_RESULT_BYTES } from '../tools/shorten.ts'
import { type PlannedCall, performCalls, planCalls } from './tool-calls.ts'
import { assistantMessage, toolMessages } from './tool-messages.ts'

/** The limits of a loop. */
export interface LoopLimits {
  maxSteps: number
  maxToolCalls: number
  parallelToolCalls: boolean
  /** The tool choice of the first step; later steps choose freely. */
  toolChoice: 'auto' | 'required' | 'none'
  /** The equal call with this number is refused, and the next step is the last. */
  repeatLimit: number
}

/** One actor's work on one task. */
export interface LoopRequest {
  actor: ActingAgent
  /** Prefix of the loop's steps in the journal; empty for the root run's own loop. */
  keyPrefix: string
  purpose: ModelPurpose
  prompt: LanguageModelV4Prompt
  tools: readonly Tool[]
  limits: LoopLimits
  /** Requested in every step; default: text. */
  responseFormat?: LanguageModelV4CallOptions['responseFormat']
  channel: Channel
  transcript: Transcript
  /** A signal that may end the loop earlier than the run; it must include the run's aborts. */
  signal?: AbortSignal
  /** Writes the text to a channel of the stream; the default writes it unchanged. */
  openWriter?: (channel: Channel) => MessageWriter
}

/** The outcome of a loop. */
export interface LoopResult {
  /** The text of the last step only. */
  text: string
  /** The streamed message with the text, written in any turn of a job. */
  messageId: string
  finishReason: FinishReason
  toolsExecuted: number
  /** Provider state to send back with the text. */
  state: StepState | null
}

/** A committed step: its answer, its final messages, and when it ended. */
interface StepRecord extends ModelStepResult {
  messageId: string
  /** The message with its commentary; absent without. */
  asideId?: string
  at: number
}

const MODEL_STEP = journalStep(
  'model_step',
  1,
  schemaOf<StepRecord>()(
    Type.Object({
      ...MODEL_STEP_RESULT.properties,
      messageId: Type.String(),
      asideId: Type.Optional(Type.String()),
      at: Type.Number(),
    }),
  ),
)

function functionTool({ name, description, inputSchema }: Tool): LanguageModelV4FunctionTool {
  return { type: 'function', name, description, inputSchema: offeredSchema(inputSchema) }
}

/** The correction for a model that answered although it had to call a tool. */
const MUST_CALL = 'That was not valid. Call one of the tools before you answer.'

/** The prompt of the retry after an answer that had to be a call. */
function repaired({ text, state }: StepRecord): LanguageModelV4Prompt {
  const said = assistantMessage({ text: isBlank(text) ? '(no answer)' : text, calls: [], state })
  return [said, { role: 'user', content: [{ type: 'text', text: MUST_CALL }] }]
}

/** The stored text of a step: with calls, it includes the commentary. */
function saidIn({ text, commentary }: StepRecord, calls: readonly PlannedCall[]): string {
  if (calls.length === 0 || commentary === undefined) return text
  return isBlank(text) ? commentary : `${commentary}\n\n${text}`
}

/**
 * Refuses the calls of a step that did not end normally.
 *
 * @param isAgain whether the previous step was cut off too
 * @throws ChatModelError if the model is not called again
 */
function refuseCut({ finishReason }: StepRecord, isAgain: boolean): void {
  if (finishReason === 'content-filter') {
    const message = 'The model provider stopped the answer because of its content policy.'
    throw new ChatModelError('fatal', message, 'a call was cut by the content filter')
  }
  if (!isAgain) return
  const message = 'The model reached its output limit before its tool call was complete.'
  throw new ChatModelError('fatal', message, `calls were cut twice, finish reason ${finishReason}`)
}

/**
 * The steps of an agent: calls the model and executes its calls until it answers in text. The last allowed
 * step cannot call tools, so that there is always an answer. A tool never fails the loop. A model that
 * answers although it must call a tool is corrected once.
 *
 * @throws ChatModelError (also for an empty answer), the signal's reason, or SliceEnded.
 */
export async function agentLoop(ctx: RunContext, request: LoopRequest): Promise<LoopResult> {
  const { actor, limits, transcript, signal = ctx.signal } = request
  const author = { agentId: actor.agentId, name: actor.name }
  const tools = new Map(request.tools.map((tool) => [tool.name, tool]))
  const guard = new LoopGuard(limits.repeatLimit)
  const prompt = [...request.prompt]
  let choice: Choice = tools.size === 0 ? 'auto' : limits.toolChoice
  let executed = 0
  let acted = false
  let wasCut = false
  let finalize = false
  for (let step = 0; ; step += 1) {
    const isFinal = finalize || step + 1 >= limits.maxSteps || executed >= limits.maxToolCalls
    if (isFinal) choice = 'none'
    const answer = await runStep(ctx, request, { step, prompt, choice })
    const last = isFinal || answer.isLast
    if (last) choice = 'none'
    const calls = last ? [] : planCalls(answer.toolCalls, step, request.keyPrefix, tools)
    if (choice === 'required' && calls.length === 0) {
      if (step > 0) {
        throw new ChatModelError('fatal', 'The model answered without calling the required tool.', 'required')
      }
      prompt.push(...repaired(answer))
      continue
    }
    const isCut = calls.length > 0 && !isWholeStep(answer.finishReason)
    if (isCut) refuseCut(answer, wasCut)
    wasCut = isCut
    const said = saidIn(answer, calls)
    const { text, messageId, finishReason, state = null } = answer
    transcript.assistant(author, said, { calls: calls.map(({ stored }) => stored), state }, answer.at)
    if (calls.length === 0) {
      // A model that says nothing after its tools have acted ends normally.
      const mayBeEmpty = acted && (finishReason === 'stop' || answer.isLast)
      if (isBlank(text) && !mayBeEmpty) {
        throw emptyAnswer(finishReason)
      }
      return { text, messageId, finishReason, toolsExecuted: executed, state }
    }
    const counted = isCut ? [] : calls
    const refused = new Set(counted.filter((call) => guard.refuses(call.stored.name, call.input)))
    if (refused.size > 0) finalize = true
    const room = limits.maxToolCalls - executed
    const conditions = { actor, signal, parallel: limits.parallelToolCalls, refused, room, isCut }
    const outcomes = await performCalls(ctx, calls, conditions)
    if (!isCut) executed += Math.min(calls.length, room)
    acted ||= outcomes.some((outcome) => outcome.ok || outcome.ms !== undefined)
    const results = calls.map(({ stored, tool }, index) => {
      const outcome = outcomes[index] as TimedOutcome
      // For resumed jobs: the outcomes come from the journal.
      if (outcome.ok) ctx.output.citations.restore(outcome.passages ?? [])
      const result = toolResultText(outcome, tool?.maxResultBytes ?? MAX_RESULT_BYTES)
      transcript.tool(author, stored, { text: result, ...closingOf(outcome) }, ctx.now())
      return { ...stored, result }
    })
    prompt.push(...toolMessages({ text: said, calls: results, state }, acted))
    choice = 'auto'
  }
}

/** The record of a call in the transcript. */
function closingOf({ ms, startedAt, ...outcome }: TimedOutcome): CallClosing {
  const status = outcome.ok ? 'ok' : outcome.code === 'denied' ? 'denied' : 'error'
  return { status, ...(ms !== undefined && { ms }), ...(startedAt !== undefined && { startedAt }) }
}

type Choice = LoopLimits['toolChoice']

/** Whether the text of a step is the answer: not beside calls, and not in place of a required one. */
function stands(choice: Choice, { toolCalls }: Pick<StepRecord, 'toolCalls'>): boolean {
  if (choice === 'none') return true
  return toolCalls.length === 0 && choice !== 'required'
}

async function runStep(
  ctx: RunContext,
  request: LoopRequest,
  { step, prompt, choice }: { step: number; prompt: LanguageModelV4Prompt; choice: Choice },
): Promise<StepRecord> {
  const { actor, purpose, tools, channel, signal, keyPrefix, responseFormat } = request
  const key = `${keyPrefix}step:${step}`
  const replayed = ctx.journal.has(key)
  const record = await ctx.journal.once(MODEL_STEP, key, async (): Promise<StepRecord> => {
    const offered = tools.filter((tool) => (tool.refusal?.() ?? null) === null)
    const writer = request.openWriter?.(channel) ?? new MessageWriter(ctx.output, sourceOf(actor), channel)
    let aside: MessageWriter | null = null
    const toolChoice: LanguageModelV4ToolChoice = { type: choice }
    const answer = await modelStep(ctx, actor, {
      purpose,
      step,
      prompt,
      writer,
      openAside() {
        aside = new MessageWriter(ctx.output, sourceOf(actor), 'trace')
        return aside
      },
      mayEnd: !actor.isMember || channel === 'answer',
      options: {
        ...(offered.length > 0 && { tools: offered.map(functionTool), toolChoice }),
        ...(responseFormat && { responseFormat }),
      },
      ...(signal && { signal }),
    })
    const { messageId } = writer
    const asideId = aside === null ? {} : { asideId: (aside as MessageWriter).messageId }
    // Text that is not the answer is voided before the step is committed, so that a log never ends with it.
    if (!stands(answer.isLast ? 'none' : choice, answer)) writer.reset('tool_calls')
    return { ...answer, messageId, ...asideId, at: ctx.now() }
  })
  if (replayed) {
    addSpent(actor.spent, record.spent)
    if (channel === 'answer' && stands(record.isLast ? 'none' : choice, record))
      ctx.output.answer.append(record.messageId, record.text)
  }
  return record
}
