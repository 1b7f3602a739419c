import { isJsonObject, type JsonObject } from '@troupe/contract'

/** The target of a reference inside a document (`#/$defs/a`); undefined for any other reference, and if it is missing. */
export function localTarget(document: JsonObject, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined
  let at: unknown = document
  for (const step of reference.slice(2).split('/')) {
    const key = unescapedStep(step)
    at = (isJsonObject(at) || Array.isArray(at)) && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined
  }
  return at
}

/** The key that a step of a reference names. */
export function unescapedStep(step: string): string {
  const text = step.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
