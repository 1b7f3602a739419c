import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { isBlank, parseJson, propertyOf } from '@troupe/contract'
import { journalStep, schemaOf } from '@troupe/durable-work'
import { offeredSchema } from '@troupe/json-schema'
import { Type } from 'typebox'
import type { RequestedOutput } from '../ports/requested-output.ts'
import { addSpent, sourceOf } from '../run/acting-agent.ts'
import { isWholeStep } from '../run/call-model.ts'
import { MessageWriter } from '../run/message-writer.ts'
import { MODEL_STEP_RESULT, type ModelStepResult, modelStep } from '../run/model-step.ts'
import { isRefusedRequest } from '../run/refused-request.ts'
import type { RunContext } from '../run/run-context.ts'
import { RunFailure } from '../run/run-failure.ts'
import { WRITTEN } from '../run/step-shapes.ts'
import { agentLoop, type LoopRequest, type LoopResult } from './agent-loop.ts'
import { assistantMessage, withoutToolMessages } from './tool-messages.ts'

const NAME = 'answer'
const DESCRIPTION = 'The answer.'
const REPAIRS = 1
const AS_JSON = 'Give that answer again, as JSON that follows the schema, and nothing else.'

/** A committed answer: its message in the stream, and when it ended. */
interface AnswerRecord extends ModelStepResult {
  messageId: string
  at: number
}

const JSON_ANSWER = journalStep(
  'json_answer',
  1,
  schemaOf<AnswerRecord>()(
    Type.Object({ ...MODEL_STEP_RESULT.properties, messageId: Type.String(), at: Type.Number() }),
  ),
)

/** The last text of a loop, streamed as the answer. */
const ADOPTED_ANSWER = journalStep('adopted_answer', 1, WRITTEN)

function asked(text: string): LanguageModelV4Prompt[number] {
  return { role: 'user', content: [{ type: 'text', text }] }
}

function said({ text, state }: Pick<ModelStepResult, 'text' | 'state'>): LanguageModelV4Prompt[number] {
  return assistantMessage({ text: isBlank(text) ? '(no answer)' : text, calls: [], ...(state && { state }) })
}

/** The prompt with the schema appended to its instructions, for models whose provider does not enforce it. */
function instructed(
  prompt: LanguageModelV4Prompt,
  { schema }: RequestedOutput,
): [LanguageModelV4Prompt[number], ...LanguageModelV4Prompt] {
  const rule = `Answer with JSON that follows this JSON Schema, and nothing else:\n${JSON.stringify(schema)}`
  const [first, ...rest] = prompt
  if (first?.role !== 'system') return [{ role: 'system', content: rule }, ...prompt]
  return [{ ...first, content: `${first.content}\n\n${rule}` }, ...rest]
}

const isObjectSchema = ({ type }: Record<string, unknown>) => type === 'object'

/**
 * A tool whose arguments are the answer. Arguments must be an object: any other answer is wrapped in a
 * property.
 */
function answerTool({ schema }: RequestedOutput) {
  const { $defs, definitions } = schema
  const wrapped = {
    type: 'object',
    properties: { [NAME]: schema },
    required: [NAME],
    // References in the schema resolve from its root.
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  }
  const inputSchema: Record<string, unknown> = isObjectSchema(schema) ? schema : wrapped
  return {
    type: 'function' as const,
    name: NAME,
    description: DESCRIPTION,
    inputSchema: offeredSchema(inputSchema),
  }
}

/**
 * The JSON in a call of {@link answerTool}; text in its place is returned unchanged. Arguments of a step that was cut
 * off are not an answer.
 */
function textOfCall({ text, toolCalls, finishReason }: ModelStepResult, { schema }: RequestedOutput): string {
  const call = isWholeStep(finishReason) ? toolCalls.find(({ name }) => name === NAME) : undefined
  if (!call || isObjectSchema(schema)) return call?.input ?? text
  const parsed = parseJson(call.input, undefined, 'refuse')
  return parsed.ok ? (JSON.stringify(propertyOf(parsed.value, NAME)) ?? '') : call.input
}

function responseFormatOf({ schema }: RequestedOutput) {
  return { type: 'json' as const, name: NAME, description: DESCRIPTION, schema }
}

/** Requests JSON of the schema; a model that rejects this must call a tool with it instead. */
async function ask(
  ctx: RunContext,
  { actor, purpose, channel, signal }: LoopRequest,
  output: RequestedOutput,
  { prompt, attempt }: { prompt: LanguageModelV4Prompt; attempt: number },
): Promise<ModelStepResult> {
  const mayEnd = !actor.isMember || channel === 'answer'
  const step = { purpose, step: attempt, prompt, writer: null, mayEnd, ...(signal && { signal }) }
  try {
    return await modelStep(ctx, actor, { ...step, options: { responseFormat: responseFormatOf(output) } })
  } catch (error) {
    if (!isRefusedRequest(error)) throw error
  }
  const options = { tools: [answerTool(output)], toolChoice: { type: 'tool' as const, toolName: NAME } }
  const answer = await modelStep(ctx, actor, { ...step, options })
  // The answer was a call, so the provider's state does not match it as text.
  return { ...answer, text: textOfCall(answer, output), state: null }
}

async function answerOnce(
  ctx: RunContext,
  request: LoopRequest,
  output: RequestedOutput,
  turn: { prompt: LanguageModelV4Prompt; attempt: number },
): Promise<AnswerRecord> {
  const { actor, channel, keyPrefix } = request
  const key = `${keyPrefix}output:${turn.attempt}`
  const replayed = ctx.journal.has(key)
  const record = await ctx.journal.once(JSON_ANSWER, key, async (): Promise<AnswerRecord> => {
    const answer = await ask(ctx, request, output, turn)
    const writer = new MessageWriter(ctx.output, sourceOf(actor), channel)
    // Text is streamed only once it is known to be the answer.
    if (stands(answer, output)) writer.append(answer.text)
    return { ...answer, messageId: writer.messageId, at: ctx.now() }
  })
  if (replayed) {
    addSpent(actor.spent, record.spent)
    if (channel === 'answer' && stands(record, output))
      ctx.output.answer.append(record.messageId, record.text)
  }
  return record
}

/** Streams the last text of a loop once it is known to be the answer. The loop's transcript has that text already. */
async function adopted(ctx: RunContext, { actor, channel, keyPrefix }: LoopRequest, text: string) {
  const key = `${keyPrefix}output:adopted`
  const replayed = ctx.journal.has(key)
  const record = await ctx.journal.once(ADOPTED_ANSWER, key, async () => {
    const writer = new MessageWriter(ctx.output, sourceOf(actor), channel)
    writer.append(text)
    return { messageId: writer.messageId }
  })
  if (replayed && channel === 'answer') ctx.output.answer.append(record.messageId, text)
  return record
}

/** Whether a text is the answer: the requested JSON, or a model's refusal. */
function stands(
  { text, finishReason }: Pick<ModelStepResult, 'text' | 'finishReason'>,
  output: RequestedOutput,
): boolean {
  return finishReason === 'content-filter' || output.problemOf(text) === null
}

/**
 * The answer of an agent as JSON that follows a schema. By default, JSON is requested directly from an agent without
 * tools; one with tools works in text first and is then asked for JSON, because several models do not support both
 * together. An invalid answer is requested again, with its problem.
 *
 * @throws RunFailure that names the problem of the last answer, and as {@link agentLoop}.
 */
export async function structuredAnswer(
  ctx: RunContext,
  request: LoopRequest,
  output: RequestedOutput,
): Promise<LoopResult> {
  const { strategy = 'auto', maxRepairs = REPAIRS } = output
  const hasTools = request.tools.length > 0
  const isNative = strategy === 'native' || (strategy === 'auto' && !hasTools)
  let prompt: LanguageModelV4Prompt = instructed(withoutToolMessages(request.prompt), output)
  let toolsExecuted = 0
  if (hasTools || !isNative) {
    const worked = { prompt: instructed(request.prompt, output), responseFormat: responseFormatOf(output) }
    const format = isNative ? worked : {}
    const found = await agentLoop(ctx, { ...request, ...format, channel: 'trace' })
    toolsExecuted = found.toolsExecuted
    if (isNative && stands(found, output)) return { ...found, ...(await adopted(ctx, request, found.text)) }
    prompt = [...prompt, said(found), asked(AS_JSON)]
  }
  const author = { agentId: request.actor.agentId, name: request.actor.name }
  let problem: string | null = null
  for (let attempt = 0; attempt <= maxRepairs; attempt += 1) {
    const answer = await answerOnce(ctx, request, output, { prompt, attempt })
    const { text, messageId, finishReason, state = null } = answer
    if (stands(answer, output)) {
      request.transcript.assistant(author, text, { state }, answer.at)
      return { text, messageId, finishReason, toolsExecuted, state }
    }
    problem = output.problemOf(text)
    const repair = `That was not valid: ${problem}. Answer again with JSON that follows the schema, and nothing else.`
    prompt = [...prompt, said(answer), asked(repair)]
  }
  throw new RunFailure(`The answer does not follow the output schema: ${problem}.`)
}
