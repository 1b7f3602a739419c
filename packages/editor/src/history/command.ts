import type { Patch } from '../document/patch.ts'

/** One step of the history: what a person did, in one gesture. */
export interface Command {
  /** Its own among those of one history. */
  number: number
  /** In the words of the person's language: "Rename Classify". */
  label: string
  /** Commands of one gesture join: a drag, or typing into one field. null: it stands alone. */
  gesture: Gesture | null
  /** Unix milliseconds of its last change. */
  at: number
  patches: Patch[]
}

/** What several changes have in common. */
export interface Gesture {
  /** Such as `drag 3` or `type classify config.prompt`. */
  key: string
  /** Whether it goes on until it is ended, as a drag; else a rest of one second ends it. */
  isHeld: boolean
}

/** Milliseconds of rest that end a gesture. */
const REST_MS = 1000

/** Whether a change belongs to the gesture of the last command. */
export function joins(last: Command | undefined, gesture: Gesture | null, at: number): last is Command {
  if (!last?.gesture || gesture === null || last.gesture.key !== gesture.key) return false
  return gesture.isHeld || (at >= last.at && at - last.at <= REST_MS)
}
