import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import type { ThingToMove } from './move-dialog.tsx'

const MoveDialog = lazyPart(async () => (await import('./move-dialog.tsx')).MoveDialog)

/** Moves one resource to another project, from the menu of its page. */
export function MoveThing({ onClose, ...thing }: ThingToMove & { onClose(): void }) {
  return (
    <LazyDialog>
      <MoveDialog things={[thing]} onClose={onClose} />
    </LazyDialog>
  )
}
