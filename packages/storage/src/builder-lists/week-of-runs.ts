/** The ended runs of each of the last seven days (UTC), oldest first, the last one today. */
export interface WeekOfRuns {
  ok: number[]
  failed: number[]
}

/** Runs counted for a day: a list reads seven days of each of its rows. */
const MOST_OF_A_DAY = 1_000

/**
 * {@link WeekOfRuns} as a select. Each day is counted on its own, so that a busy last day leaves no earlier day empty.
 *
 * @param now the present moment, as SQL
 * @param runs a `from` with a `where` of runs
 * @param at the column of their begin
 * @param ended conditions of completed and of failed runs
 */
export function weekOfRuns(
  now: string,
  runs: string,
  { at, ok, failed }: { at: string; ok: string; failed: string },
): string {
  const midnight = `(date_trunc('day', ${now} at time zone 'UTC') - g.ago * interval '1 day')`
  const count = (which: string) => `(select count(*)::int from (
      select ${runs} and ${which} and ${at} >= ${midnight} at time zone 'UTC'
        and ${at} < (${midnight} + interval '1 day') at time zone 'UTC'
      limit ${MOST_OF_A_DAY}) counted)`
  return `select json_build_object('ok', json_agg(${count(ok)} order by g.ago desc),
    'failed', json_agg(${count(failed)} order by g.ago desc)) from generate_series(0, 6) as g(ago)`
}
