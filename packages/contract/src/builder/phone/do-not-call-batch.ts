/** Maximum numbers added to the do-not-call list in one request. */
export const DO_NOT_CALL_BATCH = 500
