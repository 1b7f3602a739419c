import type { BuilderWorkflow } from '@troupe/contract/builder'
import { useEffect, useRef, useState } from 'react'
import type { CallFailure } from '../../../infrastructure/client/call-failure.ts'
import type { AnswerOf } from '../../../infrastructure/client/operation-types.ts'
import { type Asked, useChange, useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useDraftSession } from '../editing/use-draft-session.ts'

/** A person has three tests in flight at most; one place is left for what the person tests beside. */
const AT_ONCE = 2
const WATCH_MS = 1_000

/** Runs test cases one after the other, as far as there are places. */
export interface CaseRunner {
  cases: Asked<AnswerOf<'listTestCases'>>
  /** Ids of cases that were asked for and have not started. */
  waiting: readonly string[]
  /** Whether what is shown is saved, so that it can be tested. */
  isSaved: boolean
  failure: CallFailure | null
  run(testCaseIds: readonly string[]): void
  stop(): void
}

/** Starts the cases that were asked for, two at a time, and asks for the verdicts while one runs. */
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
          // The person runs other tests: the case goes on waiting.
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
      // What is wrong with one start is wrong with all: the draft has a problem, or was changed.
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
