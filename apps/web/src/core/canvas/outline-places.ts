import type { Outline, OutlineRow } from '@troupe/editor/outline/outline'
import type { Answers, StepCommandId } from './step-commands.ts'

/** The command target of a list row: a step, one of its outputs, or neither, such as "continues at Merge". */
export type RowPlace =
  | { kind: 'step'; nodeId: string }
  /** `handle` null: one of several ways that are taken together. */
  | { kind: 'branch'; nodeId: string; handle: string | null }
  | { kind: 'none' }

/** The target of a command at the row with a key. */
export function placeOfRow({ rows, unreached, notes }: Outline, key: string): RowPlace {
  const found = rowWith(rows, key)
  switch (found?.kind) {
    case 'step':
      return { kind: 'step', nodeId: found.node.id }
    case 'branch':
      return { kind: 'branch', nodeId: found.nodeId, handle: found.handle }
    case 'reference':
      return { kind: 'none' }
    case undefined: {
      const isLoose = [...unreached, ...notes].some(({ id }) => id === key)
      return isLoose ? { kind: 'step', nodeId: key } : { kind: 'none' }
    }
    default:
      return found satisfies never
  }
}

function rowWith(rows: readonly OutlineRow[], key: string): OutlineRow | null {
  for (const row of rows) {
    if (row.id === key) return row
    const found = row.kind === 'reference' ? null : rowWith(row.children, key)
    if (found !== null) return found
  }
  return null
}

/** Commands that continue from an output; all others apply to whole steps, not to branches. */
const OF_BRANCHES: ReadonlySet<StepCommandId> = new Set(['add', 'connect'])

/** The steps, and the answers already known, with which a command on a row starts. */
export function commandAt(
  place: RowPlace,
  command: StepCommandId,
): { ids: readonly string[]; answers: Answers } {
  switch (place.kind) {
    case 'step':
      return { ids: [place.nodeId], answers: {} }
    case 'branch': {
      const { nodeId, handle } = place
      if (!OF_BRANCHES.has(command)) return { ids: [], answers: {} }
      return { ids: [nodeId], answers: handle === null ? {} : { handle } }
    }
    case 'none':
      return { ids: [], answers: {} }
    default:
      return place satisfies never
  }
}
