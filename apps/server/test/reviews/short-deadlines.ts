import type { Database } from '@troupe/storage'

/**
 * A database in which every deadline is so many seconds after its review was opened: the shortest that a config can ask
 * for is a minute.
 */
export function withDeadlines(database: Database, seconds: () => number): Database {
  const { workflowRuns } = database
  return {
    ...database,
    get exclusive() {
      return database.exclusive
    },
    workflowRuns: {
      ...workflowRuns,
      commit: (commit) =>
        workflowRuns.commit({
          ...commit,
          reviews: (commit.reviews ?? []).map((review) =>
            review.request.timeoutSeconds === null
              ? review
              : { ...review, request: { ...review.request, timeoutSeconds: seconds() } },
          ),
        }),
    },
    [Symbol.asyncDispose]: async () => {},
  }
}
