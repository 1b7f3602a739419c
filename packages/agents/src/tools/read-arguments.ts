import { isJsonObject, JSON_BUDGET, parseJson } from '@troupe/contract'

/** Longer texts reach the model's output limit first. */
const MAX_CHARACTERS = 256 * 1024

/** The arguments of a call as an object, or the problem with them. Empty text means no arguments. */
export function readArguments(
  text: string,
): { ok: true; input: Record<string, unknown> } | { ok: false; problem: string } {
  if (text.trim() === '') return { ok: true, input: {} }
  const parsed = parseJson(text, { ...JSON_BUDGET, characters: MAX_CHARACTERS }, 'refuse')
  if (!parsed.ok) {
    const { excess } = parsed
    const problem = excess === null ? 'The arguments are not valid JSON.' : `The arguments have ${excess}.`
    return { ok: false, problem }
  }
  if (isJsonObject(parsed.value)) return { ok: true, input: parsed.value }
  return { ok: false, problem: 'The arguments must be a JSON object.' }
}
