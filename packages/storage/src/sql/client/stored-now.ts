/**
 * SQL for the latest moment that a column written by `now()` in an earlier statement can show: moments are stored rounded
 * to the millisecond, so it may be half of one ahead. What is due "at once" is compared with this, or it is not due yet.
 */
export const STORED_NOW = `now() + interval '0.5 ms'`
