import type { IdText, WorkflowId } from '@troupe/contract'
import type { PlanTestBody, TestRunPlan } from '@troupe/contract/builder'
import { useEffect, useState } from 'react'
import { asCallFailure, type CallFailure } from '../../../infrastructure/client/call-failure.ts'
import { callOperation } from '../../../infrastructure/client/call-operation.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'

/** Typing continues while a plan is computed, so requests are debounced. */
const REST_MS = 400

/** The plan of the test in the form. */
export interface PlannedTest {
  /** The last plan; null before the first response. */
  plan: TestRunPlan | null
  failure: CallFailure | null
  /** Whether `plan` and `failure` belong to an earlier state of the form. */
  isPending: boolean
}

/** The response to a request, and the request that it belongs to. */
type Answered = Omit<PlannedTest, 'isPending'> & { of: string | null }

/** Plans a test whenever the form changes, one plan at a time. `body` null: the form is incomplete. */
export function useTestPlan(workflowId: IdText<WorkflowId>, body: PlanTestBody | null): PlannedTest {
  const { organizationId } = usePlace().membership
  const [state, setState] = useState<Answered>({ plan: null, failure: null, of: null })
  const asked = body === null ? null : JSON.stringify(body)
  useEffect(() => {
    if (asked === null) return
    const current = new AbortController()
    const { signal } = current
    const ask = async () => {
      try {
        const input = { params: { workflowId }, body: JSON.parse(asked) as PlanTestBody }
        const plan = await callOperation('planTestRun', organizationId, input, { signal })
        setState({ plan, failure: null, of: asked })
      } catch (error) {
        if (!signal.aborted) setState({ plan: null, failure: asCallFailure(error), of: asked })
      }
    }
    const timer = setTimeout(ask, REST_MS)
    return () => {
      clearTimeout(timer)
      current.abort()
    }
  }, [asked, workflowId, organizationId])
  const { plan, failure, of } = state
  // Compared during rendering: a flag set by an effect would mark the previous plan as current for one render.
  return { plan, failure, isPending: of === null || of !== asked }
}
