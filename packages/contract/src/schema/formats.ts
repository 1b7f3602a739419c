import { type TSchemaOptions, Type } from 'typebox'

/** A UUID in its canonical text form. */
export const Uuid = (options: TSchemaOptions = {}) => Type.String({ ...options, format: 'uuid' })

/** An ISO 8601 timestamp in UTC. */
export const IsoTimestamp = (options: TSchemaOptions = {}) => Type.String({ ...options, format: 'date-time' })

/** Whole seconds since the Unix epoch. */
export const UnixSeconds = (options: TSchemaOptions = {}) =>
  Type.Integer({ ...options, description: 'Unix time in seconds.' })
