/**
 * SQL for the latest moment that a column written by `now()` in an earlier statement can show: timestamps are stored
 * rounded to the millisecond, so it may be half a millisecond ahead. Rows that are due "at once" are compared with
 * this; with `now()` they would not be due yet.
 */
export const STORED_NOW = `now() + interval '0.5 ms'`
