import { type Static, Type } from 'typebox'
import { Uuid } from '../../schema/formats.ts'
import type { VoiceSessionId } from '../../schema/ids.ts'
import { parseJson } from '../../validation/parse-json.ts'
import { validator } from '../../validation/validator.ts'

/** The dispatch metadata for the worker: the session, and the one-time token that claims its job. */
export const DispatchMetadata = Type.Object({
  v: Type.Literal(1),
  sid: Uuid<VoiceSessionId>(),
  /** The number of the dispatch within the session, from 1. */
  n: Type.Integer({ minimum: 1 }),
  /** Valid for one claim. */
  t: Type.String({ minLength: 1, maxLength: 200 }),
})
export type DispatchMetadata = Static<typeof DispatchMetadata>

const check = validator(DispatchMetadata)

/** The metadata of a dispatch; null for a dispatch of another program. */
export function readDispatchMetadata(text: string): DispatchMetadata | null {
  const parsed = parseJson(text)
  if (!parsed.ok) return null
  const checked = check(parsed.value)
  return checked.ok ? checked.value : null
}
