import { MOVABLE_KINDS } from '@troupe/contract/builder'
import { useState } from 'react'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { moveWords as words } from '../../core/messages/en/parts/move.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { useProjects } from '../../infrastructure/queries/use-whole-list.ts'
import type { ThingToMove } from './move-dialog.tsx'
import styles from './own-project.module.css'

const MoveDialog = lazyPart(async () => (await import('./move-dialog.tsx')).MoveDialog)

/** The project of a resource among its settings, with an action to move it. Hidden without projects. */
export function OwnProject({ thing }: { thing: ThingToMove }) {
  const [isOpen, setOpen] = useState(false)
  const projects = useProjects()
  const refusal = useRefusal(MOVABLE_KINDS[thing.kind])
  const listed = projects.data ?? []
  if (listed.length === 0) return null
  const name = listed.find(({ projectId }) => projectId === thing.projectId)?.name ?? null
  return (
    <div className={styles.project}>
      <span className={styles.label}>{words.project}</span>
      <span>{words.own(name)}</span>
      <RefusableButton size="small" refusal={refusal} onPress={() => setOpen(true)}>
        {words.entry}
      </RefusableButton>
      <LazyDialog>{isOpen && <MoveDialog things={[thing]} onClose={() => setOpen(false)} />}</LazyDialog>
    </div>
  )
}
