import type { IdText, ProjectId } from '@troupe/contract'
import type { MovableKind } from '@troupe/contract/builder'
import { ChosenBar } from '../../atoms/table/chosen-bar.tsx'
import { useChosenRows } from '../../atoms/table/use-chosen-rows.ts'
import { moveWords as words } from '../../core/messages/en/parts/move.ts'
import { useProjects } from '../../infrastructure/queries/use-whole-list.ts'
import { AskedTable, type AskedTableProps } from '../lists/asked-table.tsx'
import { MoveButton } from './move-button.tsx'

export interface MovableTableProps<Row> extends AskedTableProps<Row> {
  kind: MovableKind
  /** The same function for every render. */
  idOf(row: Row): string
}

const NONE: readonly never[] = []

/** The table of a list whose rows can be chosen and moved to a project, if there are projects. */
export function MovableTable<Row extends { projectId: IdText<ProjectId> | null }>({
  kind,
  ...table
}: MovableTableProps<Row>) {
  const { asked, idOf, nameOf } = table
  const { selected, onSelect, rows, elsewhere, clear } = useChosenRows(asked.data?.data ?? NONE, idOf)
  const projects = useProjects()
  const hasProjects = (projects.data ?? []).length > 0
  return (
    <>
      {rows.length > 0 && (
        <ChosenBar label={words.chosen(rows.length, elsewhere)} clear={words.clearChosen} onClear={clear}>
          <MoveButton
            things={rows.map((row) => ({ kind, id: idOf(row), name: nameOf(row), projectId: row.projectId }))}
            onMoved={clear}
          />
        </ChosenBar>
      )}
      <AskedTable {...table} {...(hasProjects ? { selected, onSelect, selectFrom: 'wide' } : {})} />
    </>
  )
}
