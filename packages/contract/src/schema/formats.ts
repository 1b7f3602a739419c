import { type TSchemaOptions, Type } from 'typebox'
import type { IdText } from './ids.ts'

/** A UUID in its canonical text form: the id of an entity of the kind, or of a kind that another field names. */
export const Uuid = <T extends string = string>(options: TSchemaOptions = {}) =>
  Type.Unsafe<string extends T ? string : IdText<T>>(Type.String({ ...options, format: 'uuid' }))

/** An ISO 8601 timestamp in UTC. */
export const IsoTimestamp = (options: TSchemaOptions = {}) => Type.String({ ...options, format: 'date-time' })

/** Whole seconds since the Unix epoch. */
export const UnixSeconds = (options: TSchemaOptions = {}) =>
  Type.Integer({ ...options, description: 'Unix time in seconds.' })
