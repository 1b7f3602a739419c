import type { BuilderWorkflow } from '@troupe/contract/builder'
import type { DraftReader } from '@troupe/editor/document/draft-document'
import { useEffect, useRef } from 'react'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { lostByRemoval } from '../../../core/canvas/lost-by-removal.ts'
import { commandWords as words } from '../../../core/messages/en/workflows/canvas.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { takenBackNotice } from '../editing/taken-back-notice.ts'
import { useDraftCommands } from '../editing/use-draft-editing.ts'

/** A removal of steps. */
export interface Removal {
  /** The draft before it. */
  reader: DraftReader
  /** Without the bodies of Loops among them. */
  ids: readonly string[]
  /** The number of its command. */
  number: number
}

export interface RemovalNotices {
  /**
   * Shows a notice of the removal and of the references that it broke, with an undo. @param undo absent: {@link
   * RemovalNotices.takeBack}
   */
  tell(removal: Removal, undo?: () => void): void
  /** Undoes the removal. @returns whether it could be undone */
  takeBack(removal: Removal): boolean
}

/**
 * The notices about removed steps: the same for each view, and for keys and the pointer. They name the tokens, test cases and pins that
 * referred to the steps.
 *
 * @param onBack called after an undo while the view is shown, with the restored steps
 */
export function useRemovalNotice(
  workflow: BuilderWorkflow,
  onBack: (ids: readonly string[]) => void,
): RemovalNotices {
  const { workflowId } = workflow
  const isEnabled = usePlace().may('build')
  const editing = useDraftCommands(workflow)
  const pins = useOperation('listPins', { params: { workflowId } }, { isEnabled }).data?.data ?? []
  const cases = useOperation('listTestCases', { params: { workflowId } }, { isEnabled }).data?.data ?? []
  const back = useRef<((ids: readonly string[]) => void) | null>(null)
  useEffect(() => {
    back.current = onBack
    return () => {
      back.current = null
    }
  })
  const takeBack = ({ reader, ids, number }: Removal): boolean => {
    const undone = editing.takeBack(number)
    if (undone === null) return false
    const name = reader.node(ids[0] ?? '')?.name ?? ''
    showNotice(takenBackNotice(undone.result, words.back(name, ids.length)))
    if (undone.result.isChanged) back.current?.(ids)
    return true
  }
  return {
    takeBack,
    tell: (removal, undo) => {
      const { reader, ids } = removal
      const detail = lostByRemoval(reader, ids, { pinned: pins.map(({ nodeId }) => nodeId), cases })
      showNotice({
        title: words.removed(reader.node(ids[0] ?? '')?.name ?? '', ids.length),
        ...(detail !== null && { detail }),
        action: { label: words.takeBack, run: undo ?? (() => void takeBack(removal)) },
      })
    },
  }
}
