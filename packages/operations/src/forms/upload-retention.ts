const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** How long an upload waits for its submission, in milliseconds. */
export const UNUSED_UPLOAD_MS = 2 * HOUR_MS
/**
 * How long an upload is kept whose listener has ended, in milliseconds. The race: a listener may end before the bytes of an upload are
 * stored, and a sweep that deletes the row first would leave bytes that nothing names.
 */
export const ENDED_UPLOAD_MS = 30 * MINUTE_MS
/** How long a submitted upload is kept, in milliseconds. */
export const USED_UPLOAD_MS = 30 * 24 * HOUR_MS
