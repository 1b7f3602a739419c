import type { IdText, WorkflowId } from '@troupe/contract'
import type { FormPreview } from '@troupe/contract/builder'
import { useEffect, useState } from 'react'
import { asCallFailure, type CallFailure } from '../../../infrastructure/client/call-failure.ts'
import { callOperation } from '../../../infrastructure/client/call-operation.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'

/** Typing continues while a page is rendered, so requests are debounced. */
const REST_MS = 250

/** The page of a form while it is edited. */
interface RenderedFormPage {
  /** The last page; null before the first response. */
  preview: FormPreview | null
  failure: CallFailure | null
}

/**
 * Renders the page of a form after each change of its settings. The previous page is kept until the next one has
 * loaded.
 */
export function useFormPage(
  workflowId: IdText<WorkflowId>,
  config: Record<string, unknown>,
): RenderedFormPage {
  const { organizationId } = usePlace().membership
  const [state, setState] = useState<RenderedFormPage>({ preview: null, failure: null })
  const asked = JSON.stringify(config)
  useEffect(() => {
    const current = new AbortController()
    const { signal } = current
    const ask = async () => {
      try {
        const input = { params: { workflowId }, body: { config: JSON.parse(asked) } }
        const preview = await callOperation('previewForm', organizationId, input, { signal })
        setState({ preview, failure: null })
      } catch (error) {
        if (!signal.aborted) setState(({ preview }) => ({ preview, failure: asCallFailure(error) }))
      }
    }
    const timer = setTimeout(ask, REST_MS)
    return () => {
      clearTimeout(timer)
      current.abort()
    }
  }, [asked, workflowId, organizationId])
  return state
}
