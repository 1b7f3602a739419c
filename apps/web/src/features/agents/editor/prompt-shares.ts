import type { AgentPrompt } from '@troupe/contract/builder'
import { valueAt } from '@troupe/editor/values/json-path'

/** A part of the prompt, with its text. */
export interface PromptShare {
  /** The setting of the part, or `message`, `knowledge`, `skills`, `memory.history`. */
  from: string
  text: string
  /** Estimated in the same way as the server's total. */
  tokens: number
}

const BYTES_PER_TOKEN = 3.5

/** Estimates the tokens of a text with the platform's formula. */
export function estimatedTokens(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / BYTES_PER_TOKEN)
}

/** The parts of a prompt in order: those of the system text, then those of the messages. */
export function promptShares({ system, messages, parts }: AgentPrompt): PromptShare[] {
  return parts.map(({ from, message, start, end }) => {
    const whole = message === null ? (system ?? '') : (messages[message]?.content ?? '')
    const text = whole.slice(start, end)
    return { from, text, tokens: estimatedTokens(text) }
  })
}

/** Tokens of a request besides texts. */
interface RequestTokens {
  tools: number
  schema: number
  /** Roles and similar: the remainder of the whole. */
  frame: number
}

export function requestTokens(prompt: AgentPrompt): RequestTokens {
  const { tools, responseSchema } = prompt
  const used = {
    tools: tools.length === 0 ? 0 : estimatedTokens(JSON.stringify(tools)),
    schema: responseSchema === null ? 0 : estimatedTokens(JSON.stringify(responseSchema)),
  }
  const known = promptShares(prompt).reduce((sum, { tokens }) => sum + tokens, used.tools + used.schema)
  return { ...used, frame: Math.max(0, prompt.estimatedTokens - known) }
}

/** The share of each kind of part in the context, in order of first occurrence; non-text comes first. */
export function contextUse(prompt: AgentPrompt): { from: string; tokens: number }[] {
  const sums = new Map<string, number>(Object.entries(requestTokens(prompt)))
  for (const { from, tokens } of promptShares(prompt)) sums.set(from, (sums.get(from) ?? 0) + tokens)
  return [...sums].flatMap(([from, tokens]) => (tokens === 0 ? [] : [{ from, tokens }]))
}

const AFTER_HISTORY: ReadonlySet<string> = new Set(['memory.history', 'knowledge', 'message'])

/** The end of earlier messages at their max size: a share of the whole bar, from 0 to 1. */
export function historyEnd(
  use: readonly { from: string; tokens: number }[],
  mostHistory: number,
  total: number,
): number {
  const before = use.filter(({ from }) => !AFTER_HISTORY.has(from)).reduce((sum, one) => sum + one.tokens, 0)
  return Math.min(1, (before + mostHistory) / Math.max(1, total))
}

/** Maximum tokens of earlier messages; null: no limit, or the agent reads none. */
export function historyLimit(config: Readonly<Record<string, unknown>>): number | null {
  if (valueAt(config, 'memory.history.enabled') === false) return null
  const most = valueAt(config, 'memory.history.max_tokens')
  return typeof most === 'number' ? most : null
}

/** The setting of a part, as a path below `config`; null: the part has no setting. */
export function settingOfPart(from: string): string | null {
  if (from === 'message') return null
  if (from === 'knowledge') return 'knowledge.base_ids'
  if (from === 'memory.history') return 'memory.history.enabled'
  if (from === 'memory.summary') return 'memory.summary.enabled'
  if (from === 'memory.user_memories') return 'memory.user_memories.enabled'
  return from
}
