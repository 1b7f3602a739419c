import type { PlanTestBody, TestRunPlan } from '@troupe/contract/builder'
import { useEffect, useState } from 'react'
import { asCallFailure, type CallFailure } from '../../../infrastructure/client/call-failure.ts'
import { callOperation } from '../../../infrastructure/client/call-operation.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'

/** Typing goes on while a plan is made, so the server is asked only after a rest. */
const REST_MS = 400

/** The plan of the test that the form describes. */
export interface PlannedTest {
  /** Of what the form said last; null before the first answer. */
  plan: TestRunPlan | null
  failure: CallFailure | null
  isPending: boolean
}

/** Plans a test whenever the form changes, one plan at a time. `body` null: the form cannot be sent yet. */
export function useTestPlan(workflowId: string, body: PlanTestBody | null): PlannedTest {
  const { organizationId } = usePlace().membership
  const [state, setState] = useState<PlannedTest>({ plan: null, failure: null, isPending: true })
  const asked = body === null ? null : JSON.stringify(body)
  useEffect(() => {
    if (asked === null) return
    const current = new AbortController()
    const { signal } = current
    const ask = async () => {
      try {
        const input = { params: { workflowId }, body: JSON.parse(asked) as PlanTestBody }
        const plan = await callOperation('planTestRun', organizationId, input, { signal })
        setState({ plan, failure: null, isPending: false })
      } catch (error) {
        if (!signal.aborted) setState({ plan: null, failure: asCallFailure(error), isPending: false })
      }
    }
    setState((former) => ({ ...former, isPending: true }))
    const timer = setTimeout(ask, REST_MS)
    return () => {
      clearTimeout(timer)
      current.abort()
    }
  }, [asked, workflowId, organizationId])
  return state
}
