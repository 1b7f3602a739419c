import type { IdText, ProjectId } from '@troupe/contract'
import type { MoveResult, MoveThingsBody } from '@troupe/contract/builder'
import { useEffect, useState } from 'react'
import { asCallFailure, type CallFailure } from '../../infrastructure/client/call-failure.ts'
import { useCalls } from '../../infrastructure/queries/use-calls.ts'

/** The server's preview of a move. */
export interface MovePreview {
  /** null: not requested, or no response yet. */
  result: MoveResult | null
  failure: CallFailure | null
}

const NOTHING: MovePreview = { result: null, failure: null }

/**
 * Requests the preview of a move whenever another target is selected.
 *
 * @param projectId undefined: none is selected yet
 */
export function useMovePreview(
  things: MoveThingsBody['things'],
  projectId: IdText<ProjectId> | null | undefined,
): MovePreview & { show(result: MoveResult): void } {
  const { send } = useCalls()
  const [state, setState] = useState(NOTHING)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a dialog's things never change, and `send` is new in every render
  useEffect(() => {
    setState(NOTHING)
    if (projectId === undefined) return
    const asking = new AbortController()
    const body = { projectId, things, preview: true }
    send('moveThings', { body }, { signal: asking.signal }).then(
      (result) => !asking.signal.aborted && setState({ result, failure: null }),
      (error: unknown) => !asking.signal.aborted && setState({ result: null, failure: asCallFailure(error) }),
    )
    return () => asking.abort()
  }, [projectId])
  return { ...state, show: (result) => setState({ result, failure: null }) }
}
