import type { DraftReader } from '@troupe/editor/document/draft-document'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { lostByRemoval } from '../../../core/canvas/lost-by-removal.ts'
import { commandWords as words } from '../../../core/messages/en/workflows/canvas.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'

interface LostByRemoval {
  /** What a removal leaves without these steps; null: nothing. `reader` is the draft before it. */
  of(reader: DraftReader, ids: readonly string[]): string | null
  /** Shows it in a notice. */
  tell(reader: DraftReader, ids: readonly string[]): void
}

/** The tokens, test cases and pins that refer to steps which are removed. */
export function useLostByRemoval(workflowId: string): LostByRemoval {
  const isEnabled = usePlace().may('build')
  const pins = useOperation('listPins', { params: { workflowId } }, { isEnabled }).data?.data ?? []
  const cases = useOperation('listTestCases', { params: { workflowId } }, { isEnabled }).data?.data ?? []
  const of: LostByRemoval['of'] = (reader, ids) =>
    lostByRemoval(reader, ids, { pinned: pins.map(({ nodeId }) => nodeId), cases })
  return {
    of,
    tell: (reader, ids) => {
      const detail = of(reader, ids)
      if (detail === null) return
      const what = words.what(reader.node(ids[0] ?? '')?.name ?? '', ids.length)
      showNotice({ title: words.lost(what), detail })
    },
  }
}
