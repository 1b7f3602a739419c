import type {
  JSONValue,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'
import { isBlank } from '@troupe/contract'
import { KNOWLEDGE_TOOL } from '../knowledge/agent-knowledge.ts'
import type { HistoryCall, HistoryRun } from '../ports/session-state.ts'
import {
  type MessageMark,
  type PartMark,
  type StatePart,
  type StepState,
  TROUPE,
} from '../ports/step-state.ts'

type AssistantMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>
type AssistantPart = AssistantMessage['content'][number]

/** A step of a model as a prompt replays it. */
export interface SaidStep {
  text: string
  /** Under ids that are unique in the prompt. */
  calls: readonly Omit<HistoryCall, 'result'>[]
  /** Provider state to send back. */
  state?: StepState | null | undefined
}

const marked = (mark: MessageMark | PartMark): SharedV4ProviderOptions => ({ [TROUPE]: { ...mark } })

function callPart({ id, name, arguments: input }: SaidStep['calls'][number]): AssistantPart {
  return { type: 'tool-call', toolCallId: id, toolName: name, input }
}

/** A part as its provider sent it; null for a call that the step does not have. */
function statePart(part: StatePart, { text, calls }: SaidStep): AssistantPart | null {
  const { metadata } = part
  switch (part.type) {
    case 'text': {
      const options = { ...metadata, ...(part.hidden && marked({ hidden: true })) }
      return { type: 'text', text: part.text ?? text, providerOptions: options }
    }
    case 'reasoning':
      return { type: 'reasoning', text: part.text, ...(metadata && { providerOptions: metadata }) }
    case 'call': {
      const call = calls[part.index]
      return call ? { ...callPart(call), providerOptions: { ...metadata, ...marked({ id: part.id }) } } : null
    }
    case 'custom':
      return { type: 'custom', kind: part.kind, ...(metadata && { providerOptions: metadata }) }
    case 'own-call': {
      const { id: toolCallId, name: toolName, input } = part
      const call = { type: 'tool-call' as const, toolCallId, toolName, input, providerExecuted: true }
      return { ...call, ...(metadata && { providerOptions: metadata }) }
    }
    case 'own-result': {
      const { id: toolCallId, name: toolName } = part
      const value = part.value as JSONValue
      const output = part.isError ? { type: 'error-json' as const, value } : { type: 'json' as const, value }
      const result = { type: 'tool-result' as const, toolCallId, toolName, output }
      return { ...result, ...(metadata && { providerOptions: metadata }) }
    }
    default:
      return part satisfies never
  }
}

/** The parts of the step's state, which fit only a step with the same calls; null without them. */
function stateParts(step: SaidStep): AssistantPart[] | null {
  const { state, calls } = step
  if (!state) return null
  const parts = state.parts.map((part) => statePart(part, step))
  const isWhole = state.parts.filter(({ type }) => type === 'call').length === calls.length
  return isWhole && parts.every((part) => part !== null) ? parts : null
}

/** The text of a model's step, with the state for its provider; other providers see the text and the calls. */
export function assistantMessage(step: SaidStep): AssistantMessage {
  const { text, calls, state } = step
  const own = stateParts(step)
  if (own && state)
    return { role: 'assistant', content: own, providerOptions: marked({ origin: state.origin }) }
  const texts = isBlank(text) && calls.length > 0 ? [] : [{ type: 'text' as const, text }]
  return { role: 'assistant', content: [...texts, ...calls.map(callPart)] }
}

/**
 * A step of a model as later steps see it: its text with its calls, then their results.
 *
 * @param acted whether one of the tools was executed in this run, so that the model may end without text
 */
export function toolMessages(
  step: Omit<SaidStep, 'calls'> & { calls: readonly HistoryCall[] },
  acted = false,
): LanguageModelV4Prompt {
  return [
    assistantMessage(step),
    {
      role: 'tool',
      content: step.calls.map((call) => ({
        type: 'tool-result' as const,
        toolCallId: call.id,
        toolName: call.name,
        output: { type: 'text' as const, value: call.result },
      })),
      ...(acted && { providerOptions: marked({ acted: true }) }),
    },
  ]
}

/** A result without its passage numbers: only the run that retrieved the passages can cite them. */
function earlierResult({ name, result }: HistoryCall): string {
  // A quote inside a passage's text is escaped, so that only the property matches.
  return name === KNOWLEDGE_TOOL ? result.replaceAll(/"n":\d{1,9},/g, '') : result
}

/**
 * The messages of the tool calls of earlier runs, for each run in order. Their ids are unique in the prompt: those of
 * the run itself start with `call_`.
 */
export function earlierToolMessages(history: readonly HistoryRun[]): LanguageModelV4Prompt[] {
  const namesakes = new Map<number, number>()
  return history.map(({ seq, steps }) => {
    // Several runs of one member may belong to the same turn of its team.
    const nth = (namesakes.get(seq) ?? 0) + 1
    namesakes.set(seq, nth)
    const prefix = nth === 1 ? `run${seq}` : `run${seq}_${nth}`
    return (steps ?? []).flatMap(({ calls, ...step }) => {
      const renamed = calls.map((call) => ({
        ...call,
        id: `${prefix}_${call.id}`,
        result: earlierResult(call),
      }))
      return toolMessages({ ...step, calls: renamed })
    })
  })
}

/** The prompt without tool calls and their results: several providers refuse them in a call that offers no tools. */
export function withoutToolMessages(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  return prompt.filter(({ role, content }) => {
    if (role === 'tool') return false
    if (typeof content === 'string') return true
    return !content.some((part) => part.type === 'tool-call' && !part.providerExecuted)
  })
}
