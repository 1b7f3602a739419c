import type { Database } from '@troupe/storage'

/** A database with deadlines of this many seconds after a review was opened: the minimum of a config is a minute. */
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
