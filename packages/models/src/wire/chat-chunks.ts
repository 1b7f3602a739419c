import { isJsonObject, JSON_BUDGET, parseJson } from '@troupe/contract'
import { CallIndexes } from './call-indexes.ts'
import { isError } from './json-answer.ts'
import type { ChangeLine } from './sse-lines.ts'

/** Longer lines are passed on unchanged. */
const MAX_LINE = 1024 * 1024
const DATA = /^data:\s*/

type Json = Record<string, unknown>

/** Replaces a chunk without choices: Mistral's package rejects an empty list. */
const NOTHING = [{ index: 0, delta: {}, finish_reason: null }]

/**
 * Deviations of servers from the chat protocol, which only their own clients read:
 * - chunks that are null (https://github.com/earendil-works/pi/pull/2466), without choices, or with null in their place
 *   (https://github.com/vercel/ai/issues/7417, https://github.com/langchain-ai/langchain/pull/35236);
 * - choices without a delta, like the last one of Azure's asynchronous filter
 *   (https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-streaming);
 * - an empty role (https://github.com/vercel/ai/pull/15464) and an empty type of a call;
 * - calls without an index (https://github.com/openai/openai-python/issues/2806,
 *   https://github.com/SamSaffron/term-llm/pull/314) and arguments that are an object;
 * - repeated whole calls, and several calls with one id, see {@link CallIndexes};
 * - a time of creation that is not a number.
 *
 * A chunk without a part of the answer is passed on as an empty one, which ends no answer. A line is parsed only if it
 * may deviate.
 */
export function mendsChunks(): ChangeLine {
  const calls = new CallIndexes()
  return (line) => {
    if (!DATA.test(line) || line.length > MAX_LINE || !mayBeWrong(line)) return line
    const parsed = parseJson(line.replace(DATA, ''), { ...JSON_BUDGET, characters: MAX_LINE })
    if (!parsed.ok) return line
    if (parsed.value === null) return ': null'
    if (!isJsonObject(parsed.value)) return line
    const chunk = mended(parsed.value, calls)
    return chunk === null ? line : `data: ${JSON.stringify(chunk)}`
  }
}

/**
 * Empty texts are searched for separately: one pass of the engine's own search, instead of a step of the pattern for
 * each character.
 */
const WRONG_VALUE = /"(?:delta"\s*:\s*null|created"\s*:\s*"|choices"\s*:\s*\[\s*\])/

/** Cheap markers that never occur in the per-token chunks of a well-behaved server. */
function mayBeWrong(line: string): boolean {
  if (line.includes('"tool_calls":[') || line.includes('"tool_calls": [')) return true
  if (line.includes('"choices":[') || line.includes('"choices": [')) {
    return !line.includes('"delta"') || line.includes('""') || WRONG_VALUE.test(line)
  }
  return !line.includes('[DONE]')
}

/** The chunk in the protocol's form; null if it already is. */
function mended(chunk: Json, calls: CallIndexes): Json | null {
  const { choices, created } = chunk
  const isEmpty =
    choices === undefined || choices === null || (Array.isArray(choices) && choices.length === 0)
  if (isEmpty) return isError(chunk) ? null : { ...chunk, choices: NOTHING }
  if (!Array.isArray(choices)) return null
  const read: unknown[] = choices.map((choice: unknown) =>
    isJsonObject(choice) ? mendedChoice(choice, calls) : choice,
  )
  const hasTime = created === undefined || created === null || typeof created === 'number'
  if (hasTime && read.every((choice, index) => choice === choices[index])) return null
  const { created: _, ...rest } = chunk
  return { ...(hasTime ? chunk : rest), choices: read }
}

function mendedChoice(choice: Json, calls: CallIndexes): Json {
  const { delta } = choice
  if (delta === undefined || delta === null) return { ...choice, delta: {} }
  if (!isJsonObject(delta)) return choice
  const { role, tool_calls: given } = delta
  const called = Array.isArray(given)
    ? given.map((call: unknown) => (isJsonObject(call) ? mendedCall(call, calls) : call))
    : given
  const isSame = !Array.isArray(given) || (called as unknown[]).every((call, index) => call === given[index])
  if (role !== '' && isSame) return choice
  const { role: _, ...rest } = delta
  const kept = role === '' ? rest : delta
  return { ...choice, delta: isSame ? kept : { ...kept, tool_calls: called } }
}

function mendedCall(call: Json, calls: CallIndexes): Json {
  const { type, function: given } = call
  const { index, id, name } = calls.of(call)
  const named = isJsonObject(given) ? given : {}
  const isObject = isJsonObject(named.arguments)
  // A call starts with its name; some servers omit its type.
  const isTyped = type !== '' && (typeof type === 'string' || (name ?? named.name) === undefined)
  const isSame = index === call.index && id === call.id && name === undefined
  if (isSame && isTyped && !isObject) return call
  return {
    ...call,
    index,
    ...(id !== undefined && { id }),
    ...(!isTyped && { type: 'function' }),
    ...((isObject || name !== undefined) && {
      function: {
        ...named,
        ...(name !== undefined && { name }),
        ...(isObject && { arguments: JSON.stringify(named.arguments) }),
      },
    }),
  }
}
