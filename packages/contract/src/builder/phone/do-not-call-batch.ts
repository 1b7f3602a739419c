/** At most so many numbers are added to the do-not-call list at once. */
export const DO_NOT_CALL_BATCH = 500
