import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { isBlank, type ModelPurpose, Nullable } from '@troupe/contract'
import { type JournalStep, journalStep, schemaOf } from '@troupe/durable-work'
import { type Static, type TSchema, Type } from 'typebox'
import { assistantMessage } from '../../agent/tool-messages.ts'
import { type ActingAgent, addSpent, type Spent } from '../../run/acting-agent.ts'
import { isWholeStep } from '../../run/call-model.ts'
import { type ModelStepResult, modelStep } from '../../run/model-step.ts'
import { isRefusedRequest } from '../../run/refused-request.ts'
import type { RunContext } from '../../run/run-context.ts'
import { SPENT } from '../../run/step-shapes.ts'
import { readArguments } from '../../tools/read-arguments.ts'

const ATTEMPTS = 2
const CUT = 'The answer was cut off before it was complete. Say less.'

/** A decision parsed from a model's answer, or its problem as a sentence for the repair turn. */
export type Reading<T> = { ok: true; value: T } | { ok: false; problem: string }

/** A decision required from a lead. */
export interface Decision<T> {
  /** The step of the journal: `route:0`, `plan`, `review:3`. */
  key: string
  /** The decision as a step of the journal: {@link decisionStep}. */
  step: JournalStep<Made<T>>
  purpose: ModelPurpose
  tool: { name: string; description: string; inputSchema: Record<string, unknown> }
  maxOutputTokens: number
  read(input: Record<string, unknown>): Reading<T>
  /** The last resort for a model that answers in text: parses the entire text. */
  readText?(text: string): T | null
}

interface Made<T> {
  /** null: no valid decision, not even after the repair. */
  decided: { value: T } | null
  spent: Spent
}

/** The step of a kind of decision, whose value has a schema. */
export function decisionStep<S extends TSchema>(
  name: string,
  version: number,
  value: S,
): JournalStep<Made<Static<S>>> {
  const decided = Nullable(Type.Object({ value }))
  return journalStep(
    name,
    version,
    schemaOf<Made<Static<S>>>()(Type.Object({ decided, spent: SPENT }) as never),
  )
}

/** The way a chain's models are called: most can be forced to call a tool; others answer in JSON of the same schema. */
interface Asking {
  form: 'tool' | 'json'
  /**
   * Whether to send temperature 0, which some models refuse. The reasoning effort is never set: setting one
   * enables thinking at some providers, which then reject a forced tool call.
   */
  steered: boolean
}

/** The fallback after a refusal; null if no feature is left to omit. */
function plainer({ form, steered }: Asking): Asking | null {
  if (steered) return { form, steered: false }
  return form === 'tool' ? { form: 'json', steered: false } : null
}

function optionsOf<T>(decision: Decision<T>, { form, steered }: Asking): ModelOptions {
  const { tool, maxOutputTokens } = decision
  const common = { maxOutputTokens, ...(steered && { temperature: 0 }) }
  if (form === 'json') {
    const { name, description, inputSchema: schema } = tool
    return { ...common, responseFormat: { type: 'json', name, description, schema } }
  }
  return {
    ...common,
    tools: [{ type: 'function', ...tool }],
    toolChoice: { type: 'tool', toolName: tool.name },
  }
}

type ModelOptions = Omit<LanguageModelV4CallOptions, 'prompt' | 'abortSignal'>

/**
 * The decision in a model's answer: its first valid call of the tool, or its text as JSON. Arguments of a step that was
 * cut off are not a decision.
 */
function readAnswer<T>(decision: Decision<T>, answer: ModelStepResult): Reading<T> {
  const { tool, read, readText } = decision
  const called = answer.toolCalls.filter((call) => call.name === tool.name)
  if (called.length > 0 && !isWholeStep(answer.finishReason)) return { ok: false, problem: CUT }
  const texts = called.length > 0 ? called.map((call) => call.input) : answer.text === '' ? [] : [answer.text]
  let problem = `Call the tool ${tool.name}.`
  for (const text of texts) {
    const parsed = readArguments(text)
    const reading = parsed.ok ? read(parsed.input) : parsed
    if (reading.ok && 'value' in reading) return reading
    if (!reading.ok) problem = reading.problem
  }
  const last = readText?.(answer.text.trim()) ?? null
  return last === null ? { ok: false, problem } : { ok: true, value: last }
}

function repair(
  prompt: LanguageModelV4Prompt,
  answer: ModelStepResult,
  problem: string,
): LanguageModelV4Prompt {
  const [call] = answer.toolCalls
  const text = call ? `${call.name} ${call.input}` : answer.text
  // A call that is repeated as text differs from its provider's message.
  const state = call ? null : (answer.state ?? null)
  return [
    ...prompt,
    assistantMessage({ text: isBlank(text) ? '(no answer)' : text, calls: [], state }),
    { role: 'user', content: [{ type: 'text', text: `That was not valid. ${problem}` }] },
  ]
}

/**
 * Requests a decision from a lead through a forced tool call, with one repair turn. The model's text is never shown.
 *
 * @returns null when the model made no valid decision.
 * @throws ChatModelError if every model of the chain failed, the signal's reason, or SliceEnded.
 */
export async function forced<T>(
  ctx: RunContext,
  lead: ActingAgent,
  decision: Decision<T>,
  prompt: LanguageModelV4Prompt,
): Promise<T | null> {
  const replayed = ctx.journal.has(decision.key)
  const { decided, spent } = await ctx.journal.once(decision.step, decision.key, () =>
    decide(ctx, lead, decision, prompt),
  )
  if (replayed) addSpent(lead.spent, spent)
  return decided?.value ?? null
}

async function decide<T>(
  ctx: RunContext,
  lead: ActingAgent,
  decision: Decision<T>,
  asked: LanguageModelV4Prompt,
): Promise<Made<T>> {
  const spent: Spent = { inputTokens: 0, outputTokens: 0, failoverUsed: false }
  const form = lead.resolved.models[0]?.toolChoice === false ? 'json' : 'tool'
  let asking: Asking = { form, steered: true }
  let prompt = asked
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    let answer: ModelStepResult | null = null
    while (answer === null) {
      try {
        answer = await call(ctx, lead, decision, asking, { prompt, attempt })
      } catch (error) {
        const next = isRefusedRequest(error) ? plainer(asking) : null
        if (next === null) throw error
        asking = next
      }
    }
    addSpent(spent, answer.spent)
    const reading = readAnswer(decision, answer)
    if (reading.ok) return { decided: { value: reading.value }, spent }
    prompt = repair(prompt, answer, reading.problem)
  }
  return { decided: null, spent }
}

function call<T>(
  ctx: RunContext,
  lead: ActingAgent,
  decision: Decision<T>,
  asking: Asking,
  { prompt, attempt }: { prompt: LanguageModelV4Prompt; attempt: number },
): Promise<ModelStepResult> {
  const options = optionsOf(decision, asking)
  return modelStep(ctx, lead, { purpose: decision.purpose, step: attempt, prompt, options, writer: null })
}
