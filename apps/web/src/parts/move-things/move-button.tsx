import { MAX_MOVED_THINGS, MOVABLE_KINDS } from '@troupe/contract/builder'
import { useState } from 'react'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { moveWords as words } from '../../core/messages/en/parts/move.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { useProjects } from '../../infrastructure/queries/use-whole-list.ts'
import type { ThingToMove } from './move-dialog.tsx'

const MoveDialog = lazyPart(async () => (await import('./move-dialog.tsx')).MoveDialog)

export interface MoveButtonProps {
  things: readonly ThingToMove[]
  onMoved(): void
}

/** Moves the selected resources of a list, above it. Hidden without projects. */
export function MoveButton({ things, onMoved }: MoveButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const projects = useProjects()
  const build = useRefusal('build')
  const manage = useRefusal('manage')
  const needsManage = things.some(({ kind }) => MOVABLE_KINDS[kind] === 'manage')
  const tooMany = things.length > MAX_MOVED_THINGS ? words.tooMany(MAX_MOVED_THINGS) : null
  if ((projects.data ?? []).length === 0) return null
  return (
    <>
      <RefusableButton
        size="small"
        refusal={(needsManage ? manage : build) ?? tooMany}
        onPress={() => setOpen(true)}
      >
        {words.entryMany}
      </RefusableButton>
      <LazyDialog>
        {isOpen && <MoveDialog things={things} onClose={() => setOpen(false)} onMoved={onMoved} />}
      </LazyDialog>
    </>
  )
}
