import { type TSchema, Type } from 'typebox'
import { Uuid } from '../schema/formats.ts'
import { Nullable } from '../schema/nullable.ts'
import { StoredName } from '../schema/shown-name.ts'

/** No other keys: a misspelt one is a failure. */
export const closed = { additionalProperties: false }

/** Maximum entries of one list of a bundle. */
export const MAX_ENTRIES = 10_000

/** A list of a bundle. */
export const entries = <T extends TSchema>(item: T) => Type.Array(item, { maxItems: MAX_ENTRIES })

/** Identifies an entity within its organization. */
export const Slug = Type.String({
  pattern: '^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$',
  patternMessage: 'must have 1 to 64 lower-case letters, digits and inner hyphens',
})

/** A slug or an id. */
export const reference = Type.String({ minLength: 1, maxLength: 64, description: 'Slug or id.' })
export const id = Type.Optional(Uuid())
export const project = Type.Optional(Nullable(Slug))
/** The plan refuses a blank name unless it is the stored one, so that an exported bundle can be applied again. */
export const title = StoredName
export const rpm = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })
