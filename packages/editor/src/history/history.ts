import type { GraphNode } from '@troupe/graph'
import { coalesce, type Patch } from '../document/patch.ts'
import { type Rebased, renamedPatch } from '../merge/rebase.ts'
import { type Command, type Gesture, joins } from './command.ts'

/** Maximum number of kept commands; older ones can no longer be undone. */
const MOST_COMMANDS = 500
/** Maximum characters of all kept commands as JSON. */
const MOST_SIZE = 8_000_000

/** The commands of one person, in order. Those before `done` are in effect, the others were undone. Immutable. */
export interface History {
  readonly commands: readonly Command[]
  readonly done: number
  /** The number of the next command. */
  readonly number: number
  /** Whether the next change starts a new command, whatever its gesture. */
  readonly isClosed: boolean
}

export const NO_HISTORY: History = { commands: [], done: 0, number: 1, isClosed: true }

/** Records a change. Undone commands can no longer be redone afterwards. */
export function noted(
  { commands, done, number, isClosed }: History,
  { label, gesture, at, patches }: { label: string; gesture: Gesture | null; at: number; patches: Patch[] },
): History {
  const before = commands.slice(0, done)
  const last = before.at(-1)
  if (!isClosed && joins(last, gesture, at)) {
    const joined = { ...last, label, at, patches: coalesce([...last.patches, ...patches]) }
    const kept = joined.patches.length === 0 ? before.slice(0, -1) : [...before.slice(0, -1), joined]
    return { commands: kept, done: kept.length, number, isClosed: joined.patches.length === 0 }
  }
  const added = bounded([...before, { number, label, gesture, at, patches }])
  return { commands: added, done: added.length, number: number + 1, isClosed: false }
}

/** Ends a gesture: the next change starts a new command. */
export function closed(history: History): History {
  return history.isClosed ? history : { ...history, isClosed: true }
}

/** The command that an undo reverts; null if there is none. */
export function toUndo({ commands, done }: History): Command | null {
  return commands[done - 1] ?? null
}

/** The command that a redo repeats; null if there is none. */
export function toRedo({ commands, done }: History): Command | null {
  return commands[done] ?? null
}

export function undone(history: History): History {
  return { ...history, done: Math.max(0, history.done - 1), isClosed: true }
}

export function redone(history: History): History {
  return { ...history, done: Math.min(history.commands.length, history.done + 1), isClosed: true }
}

/** Applies the new ids and names of my steps after a merge to the history, so that an undo finds its steps. */
export function renamedHistory(history: History, { ids, names }: Pick<Rebased, 'ids' | 'names'>): History {
  if (ids.size === 0 && names.size === 0) return history
  const named = (node: GraphNode | null) => {
    const name = node && names.get(node.id)
    return name && node.name === name.from ? { ...node, name: name.to } : node
  }
  const commands = history.commands.map((command) => ({
    ...command,
    patches: command.patches.map((patch) => {
      const moved = renamedPatch(patch, ids)
      if (moved.kind !== 'node') return moved
      return { ...moved, before: named(moved.before), after: named(moved.after) }
    }),
  }))
  return { ...history, commands }
}

/** The ids of all steps in a history, so that no new step takes one of them. */
export function idsIn({ commands }: History): Set<string> {
  return new Set(
    commands.flatMap(({ patches }) => patches.flatMap((patch) => (patch.kind === 'node' ? patch.id : []))),
  )
}

/** The size of a command is measured once. */
const sizes = new WeakMap<Command, number>()

function sizeOf(command: Command): number {
  const known = sizes.get(command)
  if (known !== undefined) return known
  const size = JSON.stringify(command.patches).length
  sizes.set(command, size)
  return size
}

function bounded(commands: readonly Command[]): readonly Command[] {
  let size = 0
  let first = commands.length
  while (first > 0 && commands.length - first < MOST_COMMANDS) {
    size += sizeOf(commands[first - 1] as Command)
    // The newest one is always kept.
    if (size > MOST_SIZE && first < commands.length) break
    first -= 1
  }
  return first === 0 ? commands : commands.slice(first)
}
