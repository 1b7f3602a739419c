const HOUR_MS = 60 * 60_000

/** How long an upload waits for its submission, in milliseconds. */
export const UNUSED_UPLOAD_MS = 2 * HOUR_MS
/** How long a submitted upload is kept, in milliseconds. */
export const USED_UPLOAD_MS = 30 * 24 * HOUR_MS
