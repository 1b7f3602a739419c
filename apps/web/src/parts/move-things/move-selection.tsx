import { MAX_MOVED_THINGS, MOVABLE_KINDS, type MovableKind } from '@troupe/contract/builder'
import { Suspense, useState } from 'react'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { ChosenBar } from '../../atoms/table/chosen-bar.tsx'
import { type RowChoice, useChosenRows } from '../../atoms/table/use-chosen-rows.ts'
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
      <Suspense>
        {isOpen && <MoveDialog things={things} onClose={() => setOpen(false)} onMoved={onMoved} />}
      </Suspense>
    </>
  )
}

/**
 * The selection of rows to move, and the table's props for it: nothing without projects.
 *
 * @param idOf the same function for every render
 */
export function useRowsToMove<Row>(shown: readonly Row[], idOf: (row: Row) => string) {
  const choice = useChosenRows(shown, idOf)
  const projects = useProjects()
  const { selected, onSelect } = choice
  const hasProjects = (projects.data ?? []).length > 0
  return { choice, choosing: hasProjects ? { selected, onSelect, selectFrom: 'wide' as const } : {} }
}

export interface MoveSelectionProps<Row> {
  kind: MovableKind
  choice: RowChoice<Row>
  thingOf(row: Row): Omit<ThingToMove, 'kind'>
}

/** Actions on the selected rows of a list of one kind: move them to a project. */
export function MoveSelection<Row>({ kind, choice, thingOf }: MoveSelectionProps<Row>) {
  const { rows, elsewhere, clear } = choice
  if (rows.length === 0) return null
  const things = rows.map((row) => ({ kind, ...thingOf(row) }))
  return (
    <ChosenBar label={words.chosen(rows.length, elsewhere)} clear={words.clearChosen} onClear={clear}>
      <MoveButton things={things} onMoved={clear} />
    </ChosenBar>
  )
}
