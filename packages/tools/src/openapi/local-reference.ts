import { isJsonObject, type JsonObject } from '@troupe/contract'

/** A reference may lead to another one; a longer chain is unresolved. */
const MAX_CHAIN = 10

/** The target of a reference inside a document (`#/components/…`); undefined for any other reference. */
export function localTarget(document: JsonObject, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined
  let at: unknown = document
  for (const step of reference.slice(2).split('/')) {
    const key = unescaped(step)
    at = (isJsonObject(at) || Array.isArray(at)) && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined
  }
  return at
}

function unescaped(step: string): string {
  const text = step.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** An object with its references inside the document resolved; undefined if it is none. No remote document is read. */
export function followed(document: JsonObject, value: unknown): JsonObject | undefined {
  let at = value
  for (let step = 0; step < MAX_CHAIN; step += 1) {
    if (!isJsonObject(at)) return undefined
    if (typeof at.$ref !== 'string') return at
    at = localTarget(document, at.$ref)
  }
  return undefined
}
