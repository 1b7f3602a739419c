/** The ended runs of each of the last seven days (UTC), oldest first, the last one today. */
export interface WeekOfRuns {
  ok: number[]
  failed: number[]
}

/** Runs counted for a day: a list reads seven days of each of its rows. */
const MOST_OF_A_DAY = 1_000

/** Runs of an agent or a team read for a day, newest first: no index has their status, and a busy one has millions a day. */
export const MOST_READ_OF_A_DAY = 2 * MOST_OF_A_DAY

/**
 * {@link WeekOfRuns} as a select. Each day is counted on its own, so that a busy last day leaves no earlier day empty.
 *
 * @param now the present moment, as SQL
 * @param runs a `from` with a `where` of runs
 * @param at the column of their begin
 * @param ended conditions of completed and of failed runs; `newest`: only so many of a day are read, where no index has their status
 */
export function weekOfRuns(
  now: string,
  runs: string,
  { at, ok, failed, newest }: { at: string; ok: string; failed: string; newest?: number },
): string {
  const midnight = `(date_trunc('day', ${now} at time zone 'UTC') - g.ago * interval '1 day')`
  const ofDay = `${at} >= ${midnight} at time zone 'UTC' and ${at} < (${midnight} + interval '1 day') at time zone 'UTC'`
  const found = (which: string) =>
    newest === undefined
      ? `select ${runs} and ${which} and ${ofDay}`
      : `select from (select status ${runs} and ${ofDay} order by ${at} desc limit ${newest}) newest where ${which}`
  const count = (which: string) =>
    `(select count(*)::int from (${found(which)} limit ${MOST_OF_A_DAY}) counted)`
  return `select json_build_object('ok', json_agg(${count(ok)} order by g.ago desc),
    'failed', json_agg(${count(failed)} order by g.ago desc)) from generate_series(0, 6) as g(ago)`
}
