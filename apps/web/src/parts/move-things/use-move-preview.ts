import type { MoveResult, MoveThingsBody } from '@troupe/contract/builder'
import { useEffect, useState } from 'react'
import { asCallFailure, type CallFailure } from '../../infrastructure/client/call-failure.ts'
import { useCalls } from '../../infrastructure/queries/use-calls.ts'

/** What the server says of a move that is not made yet. */
export interface MovePreview {
  /** null: not asked, or not answered yet. */
  result: MoveResult | null
  failure: CallFailure | null
}

const NOTHING: MovePreview = { result: null, failure: null }

/**
 * Asks what a move to a place would do, whenever another place is chosen.
 *
 * @param projectId undefined: none is chosen yet
 */
export function useMovePreview(
  things: MoveThingsBody['things'],
  projectId: string | null | undefined,
): MovePreview & { show(result: MoveResult): void } {
  const { send } = useCalls()
  const [state, setState] = useState(NOTHING)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the things of a dialog stay, and `send` is another function each time
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
