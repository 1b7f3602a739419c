import type { BuilderWorkflow } from '@troupe/contract/builder'
import { useEffect, useState } from 'react'
import type { CallFailure } from '../../../infrastructure/client/call-failure.ts'
import { useCaseRunner } from '../test-cases/use-case-runner.ts'

/** Blocking test cases that run before a publish. */
export interface TestsFirst {
  isRunning: boolean
  /** Cases without a result of this press. */
  left: number
  /** Why a case could not start. */
  failure: CallFailure | null
  run(testCaseIds: readonly string[]): void
  stop(): void
}

/** The runs of the cases before they were started, by case; null: none. */
type Before = ReadonlyMap<string, string | null>

/** Runs test cases, and reports once whether all of them passed. Leaving the page ends it without a report. */
export function useTestsFirst(workflow: BuilderWorkflow, onEnded: (hasPassed: boolean) => void): TestsFirst {
  const runner = useCaseRunner(workflow)
  const [before, setBefore] = useState<Before | null>(null)
  const cases = runner.cases.data?.data ?? []
  const results = [...(before ?? [])].map(([id, runId]) => {
    const result = cases.find(({ testCaseId }) => testCaseId === id)?.result ?? null
    return result === null || result.runId === runId || result.verdict === 'running' ? null : result
  })
  const left = results.filter((result) => result === null).length
  const hasPassed = results.every((result) => result?.verdict === 'passed' && result.isCurrent)
  const isEnded = before !== null && left === 0
  const { failure } = runner
  useEffect(() => {
    if (before !== null && failure !== null) setBefore(null)
    if (!isEnded) return
    setBefore(null)
    onEnded(hasPassed)
  })
  return {
    isRunning: before !== null,
    left,
    failure,
    run: (ids) => {
      const runs = new Map(cases.map(({ testCaseId, result }) => [testCaseId, result?.runId ?? null]))
      setBefore(new Map(ids.map((id) => [id, runs.get(id) ?? null])))
      runner.run(ids)
    },
    stop: () => {
      setBefore(null)
      runner.stop()
    },
  }
}
