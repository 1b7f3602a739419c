import { Type } from 'typebox'

/** A count, or milliseconds, as sent by a worker: at most the maximum of an integer column. */
export const StoredCount = (minimum = 0) => Type.Integer({ minimum, maximum: 2_147_483_647 })

/** Milliseconds since the epoch, up to the end of the year 9999, the last one with four digits. */
export const StoredTime = () => Type.Integer({ minimum: 0, maximum: 253_402_300_799_999 })
