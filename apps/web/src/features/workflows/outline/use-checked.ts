import type { IdText, WorkflowFinding, WorkflowId } from '@troupe/contract'
import { useCallback, useEffect, useRef, useState } from 'react'
import { asCallFailure, type CallFailure } from '../../../infrastructure/client/call-failure.ts'
import { callOperation } from '../../../infrastructure/client/call-operation.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'

/** Typing continues during a check, so requests are debounced. */
const REST_MS = 500

/** The findings of the draft last passed to `check`. */
export interface CheckedDraft {
  /** undefined before the first response. */
  findings: readonly WorkflowFinding[] | undefined
  failure: CallFailure | null
  isPending: boolean
  check(draft: Record<string, unknown>): void
}

const FIRST = { findings: undefined, failure: null, isPending: true }

/** Checks unsaved drafts, one at a time. */
export function useChecked(workflowId: IdText<WorkflowId>): CheckedDraft {
  const { organizationId } = usePlace().membership
  const [state, setState] = useState<Omit<CheckedDraft, 'check'>>(FIRST)
  const current = useRef<AbortController | null>(null)
  useEffect(() => () => current.current?.abort(), [])
  const check = useCallback(
    (draft: Record<string, unknown>) => {
      current.current?.abort()
      const { signal } = replaced(current)
      const ask = async () => {
        if (signal.aborted) return
        setState((former) => ({ ...former, isPending: true }))
        try {
          const input = { params: { workflowId }, body: { graph: draft } }
          const { findings } = await callOperation('validateWorkflow', organizationId, input, { signal })
          setState({ findings, failure: null, isPending: false })
        } catch (error) {
          if (signal.aborted) return
          setState((former) => ({ ...former, failure: asCallFailure(error), isPending: false }))
        }
      }
      setTimeout(ask, REST_MS)
    },
    [workflowId, organizationId],
  )
  return { ...state, check }
}

function replaced(current: { current: AbortController | null }): AbortController {
  const next = new AbortController()
  current.current = next
  return next
}
