import type { MapPoint } from '../../core/map/with-boxes-at.ts'
import type { AnchorNow } from '../../core/overlays/popover-place.ts'

/** An output of a step, with the label of its handle; '' if it is the only one. */
export interface MapPort {
  handle: string
  word: string
}

/** The effect of a gesture at the pointer. */
export interface MapHint {
  text: string
  isRefused: boolean
}

/** Loops that fold to one step. */
export interface MapFolds {
  /** Whether a step folds. */
  has(id: string): boolean
  isFolded(id: string): boolean
  toggle(id: string): void
  /** "Fold Each" */
  labelOf(id: string): string
}

/** The user's actions on the steps of a map; a map without it is read-only. */
export interface MapEditing {
  selected: ReadonlySet<string>
  onSelect(ids: ReadonlySet<string>): void
  portsOf(id: string): readonly MapPort[]
  /** The effect of a connection to a step; null as target: nothing is under the pointer. */
  connectHint(source: string, handle: string, target: string | null): MapHint
  /** A connection was dragged to a step, or to an empty area. `at`: the end of the drag. */
  onConnect(source: string, handle: string, target: string | null, at: AnchorNow): void
  /** The effect of dropping steps besides moving them; null: none. */
  dropHint(ids: readonly string[], frame: string | null): MapHint | null
  /** Steps were moved: their new top left corners, and the Loop under the pointer. */
  onMove(places: ReadonlyMap<string, MapPoint>, frame: string | null): void
  /** Buttons of a connection. */
  onInsert(route: { source: string; handle: string; target: string }): void
  onDisconnect(route: { source: string; handle: string; target: string }): void
  onResize(id: string, size: { width: number; height: number }): void
  /** A key that the map itself does not use. @returns whether it did something */
  onKey(event: KeyboardEvent, id: string | null): boolean
  words: {
    insert: string
    disconnect: string
    moving(count: number): string
    moved(count: number): string
    back(count: number): string
  }
}
