import { isJsonObject, type JsonObject } from '@troupe/contract'
import { localTarget } from '@troupe/json-schema'

/** A reference may lead to another one; a longer chain is unresolved. */
const MAX_CHAIN = 10

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
