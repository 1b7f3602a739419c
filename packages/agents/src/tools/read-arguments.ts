/** The arguments of a call as an object, or what is wrong with them. No text at all means no arguments. */
export function readArguments(
  text: string,
): { ok: true; input: Record<string, unknown> } | { ok: false; problem: string } {
  if (text.trim() === '') return { ok: true, input: {} }
  try {
    const input: unknown = JSON.parse(text)
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) {
      return { ok: true, input: input as Record<string, unknown> }
    }
    return { ok: false, problem: 'The arguments must be a JSON object.' }
  } catch {
    return { ok: false, problem: 'The arguments are not valid JSON.' }
  }
}
