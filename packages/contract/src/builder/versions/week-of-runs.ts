import { Type } from 'typebox'

const DAYS = 7

/** The numbers of ended runs on each of the last seven days (UTC). */
export function weekOfRuns(failed: string) {
  const counts = (description: string) =>
    Type.Array(Type.Integer(), { minItems: DAYS, maxItems: DAYS, description })
  return Type.Object(
    { ok: counts('Completed.'), failed: counts(failed) },
    {
      description:
        'Runs started on each of the last seven days (UTC), oldest first, the last one today; at most 1,000 of each are counted for a day, and of an agent or a team only among the newest 2,000 of that day.',
    },
  )
}
