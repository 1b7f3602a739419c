import { isJsonObject } from '@troupe/contract'
/** The arguments of a call as an object, or the problem with them. Empty text means no arguments. */
export function readArguments(
  text: string,
): { ok: true; input: Record<string, unknown> } | { ok: false; problem: string } {
  if (text.trim() === '') return { ok: true, input: {} }
  try {
    const input: unknown = JSON.parse(text)
    if (isJsonObject(input)) return { ok: true, input }
    return { ok: false, problem: 'The arguments must be a JSON object.' }
  } catch {
    return { ok: false, problem: 'The arguments are not valid JSON.' }
  }
}
