/** The numbers of ended runs on each of the last seven days (UTC), oldest first; the last element is today. */
export interface WeekOfRuns {
  ok: number[]
  failed: number[]
}

/** Maximum runs to count per day: a list counts seven days for each of its rows. */
const MOST_OF_A_DAY = 1_000

/**
 * Maximum runs of an agent or a team to read per day, newest first: no index covers their status, and a busy one has
 * millions a day.
 */
export const MOST_READ_OF_A_DAY = 2 * MOST_OF_A_DAY

/**
 * {@link WeekOfRuns} as a select. Each day has its own limit, so that a busy day does not hide the runs of another.
 *
 * @param now the current time, as SQL
 * @param runs `from` and `where` of the runs
 * @param options `at`: the column of their start time; `ok`, `failed`: the conditions of completed and of failed runs;
 * `newest`: the maximum number of runs to read per day, where no index covers the status
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
