import type { Patch } from '../document/patch.ts'

/** One entry of the history: one gesture of a user. */
export interface Command {
  /** Unique within one history. */
  number: number
  /** In the user's language: "Rename Classify". */
  label: string
  /** Commands of one gesture are joined: a drag, or typing into one field. null: never joined. */
  gesture: Gesture | null
  /** Unix milliseconds of its last change. */
  at: number
  patches: Patch[]
}

/** Identifies changes that belong together. */
export interface Gesture {
  /** Such as `drag 3` or `type classify config.prompt`. */
  key: string
  /** Whether it lasts until it is ended, such as a drag; otherwise a pause of one second ends it. */
  isHeld: boolean
}

/** Milliseconds without a change that end a gesture. */
const REST_MS = 1000

/** Whether a change belongs to the gesture of the last command. */
export function joins(last: Command | undefined, gesture: Gesture | null, at: number): last is Command {
  if (!last?.gesture || gesture === null || last.gesture.key !== gesture.key) return false
  return gesture.isHeld || (at >= last.at && at - last.at <= REST_MS)
}
