import type { TestCase } from '@troupe/contract/builder'

/** A case with its newest test. */
type Tested = Pick<TestCase, 'testCaseId' | 'blocking' | 'result'>

/** The newest runs of test cases before they were started, by case; null: none. */
export type RunsBefore = ReadonlyMap<string, string | null>

/** The progress of the test cases started by one press. */
export interface TestsState {
  /** Cases without a result of this press. */
  left: number
  /** Whether all of them have passed for the draft. */
  hasPassed: boolean
}

/** @param ids of the cases that are about to start */
export function runsBefore(cases: readonly Tested[], ids: readonly string[]): RunsBefore {
  const runs = new Map(cases.map(({ testCaseId, result }) => [testCaseId, result?.runId ?? null]))
  return new Map(ids.map((id) => [id, runs.get(id) ?? null]))
}

/**
 * A case that was deleted in the meantime, or no longer blocks, is not waited for.
 *
 * @param waiting ids of cases that have not started: their results are older, even if `before` was made before the list was loaded
 */
export function testsState(
  cases: readonly Tested[],
  before: RunsBefore,
  waiting: readonly string[],
): TestsState {
  const queued = new Set(waiting)
  const results = cases
    .filter(({ testCaseId, blocking }) => blocking && before.has(testCaseId))
    .map(({ testCaseId, result }) => {
      const isOlder = queued.has(testCaseId) || result?.runId === before.get(testCaseId)
      return isOlder || result?.verdict === 'running' ? null : result
    })
  return {
    left: results.filter((result) => result === null).length,
    hasPassed: results.every((result) => result?.verdict === 'passed' && result.isCurrent),
  }
}
