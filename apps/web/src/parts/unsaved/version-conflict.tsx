import type { ReactNode } from 'react'
import { ConflictDialog } from '../../atoms/overlays/conflict-dialog.tsx'
import { serverNow } from '../../core/format/server-clock.ts'
import { relativeTime } from '../../core/format/times.ts'
import type { TypedDifference } from '../../core/forms/typed-fields.ts'
import type { CallFailure } from '../../infrastructure/client/call-failure.ts'
import { Differences } from './differences.tsx'

export interface VersionConflictProps {
  /** The save that may have been refused. */
  change: { readonly failure: CallFailure | null; readonly isPending: boolean; reset(): void }
  /** The noun: "project". */
  what: string
  /** The changes made here, beside the current saved state. Absent: the effect of a save on other fields is unknown. */
  differences?: readonly TypedDifference[]
  /** The names of the resources selected by id, by the id; projects need none. */
  names?: ReadonlyMap<string, string>
  /** The differences, if they are not of fields. */
  children?: ReactNode
  onTakeTheirs(): void
  /** Saves again, based on the current version. */
  onKeepMine(version: number): void
}

/** Offers choices if somebody else has saved since the form's version; nothing is sent before the choice. */
export function VersionConflict(props: VersionConflictProps) {
  const { change, what, differences, names, children, onTakeTheirs, onKeepMine } = props
  const current = change.failure?.current ?? null
  return (
    <ConflictDialog
      isOpen={current !== null}
      onClose={change.reset}
      who={current?.changedBy?.name ?? null}
      when={current ? relativeTime(current.changedAt, serverNow()) : ''}
      what={what}
      isPending={change.isPending}
      onTakeTheirs={() => {
        change.reset()
        onTakeTheirs()
      }}
      onKeepMine={() => onKeepMine(current?.number ?? 1)}
    >
      {differences && <Differences differences={differences} {...(names ? { names } : {})} />}
      {children}
    </ConflictDialog>
  )
}
