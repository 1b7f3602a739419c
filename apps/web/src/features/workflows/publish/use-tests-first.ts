import type { IdText, TestCaseId } from '@troupe/contract'
import type { BuilderWorkflow } from '@troupe/contract/builder'
import { useEffect, useState } from 'react'
import { type RunsBefore, runsBefore, testsState } from '../../../core/workflows/tests-first.ts'
import type { CallFailure } from '../../../infrastructure/client/call-failure.ts'
import { useCaseRunner } from '../test-cases/use-case-runner.ts'

const NONE: RunsBefore = new Map()

/** Blocking test cases that run before a publish. */
export interface TestsFirst {
  isRunning: boolean
  /** Cases without a result of this press. */
  left: number
  /** Why a case could not start. */
  failure: CallFailure | null
  run(testCaseIds: readonly IdText<TestCaseId>[]): void
  stop(): void
}

/** Runs test cases, and reports once whether all of them passed. Leaving the page ends it without a report. */
export function useTestsFirst(workflow: BuilderWorkflow, onEnded: (hasPassed: boolean) => void): TestsFirst {
  const runner = useCaseRunner(workflow)
  const [before, setBefore] = useState<RunsBefore | null>(null)
  const { data } = runner.cases
  const { failure, waiting } = runner
  const { left, hasPassed } = testsState(data?.data ?? [], before ?? NONE, waiting)
  const isEnded = before !== null && data !== undefined && left === 0
  useEffect(() => {
    if (before === null || (failure === null && !isEnded)) return
    setBefore(null)
    if (failure === null) onEnded(hasPassed)
  })
  return {
    isRunning: before !== null,
    left,
    failure,
    run: (ids) => {
      setBefore(runsBefore(data?.data ?? [], ids))
      runner.run(ids)
    },
    stop: () => {
      setBefore(null)
      runner.stop()
    },
  }
}
