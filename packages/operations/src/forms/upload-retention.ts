const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Time that an upload waits for its submission, in milliseconds. */
export const UNUSED_UPLOAD_MS = 2 * HOUR_MS
/**
 * Time that an upload is kept after its listener has ended, in milliseconds. A listener may end before the bytes of an
 * upload are stored; a sweep that deleted the row first would leave orphaned bytes.
 */
export const ENDED_UPLOAD_MS = 30 * MINUTE_MS
/** Time that a submitted upload is kept, in milliseconds. */
export const USED_UPLOAD_MS = 30 * 24 * HOUR_MS
