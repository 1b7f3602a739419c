import type { IdText, TestCaseId } from '@troupe/contract'
import type { BuilderWorkflow } from '@troupe/contract/builder'
import { useEffect, useRef, useState } from 'react'
import type { CallFailure } from '../../../infrastructure/client/call-failure.ts'
import type { AnswerOf } from '../../../infrastructure/client/operation-types.ts'
import { type Asked, useChange, useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useDraftSession } from '../editing/use-draft-session.ts'

/** A user has at most three tests in flight; one slot is left for manual tests. */
const AT_ONCE = 2
const WATCH_MS = 1_000

/** Runs test cases, as far as slots are free. */
export interface CaseRunner {
  cases: Asked<AnswerOf<'listTestCases'>>
  /** Ids of queued cases. */
  waiting: readonly string[]
  /** Whether the shown draft is saved, so that it can be tested. */
  isSaved: boolean
  failure: CallFailure | null
  run(testCaseIds: readonly IdText<TestCaseId>[]): void
  stop(): void
}

/** Starts the queued cases, two at a time, and polls the verdicts while one runs. */
export function useCaseRunner(workflow: BuilderWorkflow): CaseRunner {
  const { workflowId } = workflow
  const input = { params: { workflowId } }
  const session = useDraftSession(workflow)
  const isSaved = session.status === 'saved'
  const draftRevision = Math.max(workflow.draftRevision, session.revision)
  const [waiting, setWaiting] = useState<readonly string[]>([])
  const first = useOperation('listTestCases', input)
  const running = (first.data?.data ?? []).filter(({ result }) => result?.verdict === 'running')
  const isBusy = waiting.length > 0 || running.length > 0
  const cases = useOperation('listTestCases', input, isBusy ? { everyMs: WATCH_MS } : {})
  const start = useChange('runTestCase', { refreshes: ['listTestCases'] })
  const isStarting = useRef(false)
  const [, setTries] = useState(0)
  const [next] = waiting
  useEffect(() => {
    if (next === undefined || !isSaved || running.length >= AT_ONCE || isStarting.current) return
    isStarting.current = true
    const begin = async () => {
      let isFull = false
      const started = await start.run(
        { params: { workflowId, testCaseId: next }, body: { draftRevision } },
        (failure) => {
          // The user runs other tests: the case keeps waiting.
          isFull = failure.code === 'too_many_tests'
        },
      )
      if (isFull) {
        start.reset()
        setTimeout(() => {
          isStarting.current = false
          setTries((count) => count + 1)
        }, WATCH_MS)
        return
      }
      isStarting.current = false
      // An error of one start applies to all: the draft has a problem, or has changed.
      setWaiting((now) => (started ? now.filter((id) => id !== next) : []))
    }
    void begin()
  })
  return {
    cases,
    waiting,
    isSaved,
    failure: start.failure,
    run: (ids) => {
      session.flush()
      start.reset()
      setWaiting((now) => [...new Set([...now, ...ids])])
    },
    stop: () => setWaiting([]),
  }
}
