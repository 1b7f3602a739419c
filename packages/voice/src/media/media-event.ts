/**
 * What a media server reports by webhook. Reports are best effort: they are lost, repeated and out of order, so they move
 * rows and nothing is counted from them.
 */
export type MediaEvent = MediaEventOrigin &
  (
    | { type: 'participant_joined' | 'participant_left'; identity: string; isAgent: boolean }
    | { type: 'room_finished' }
    /** An event that voice sessions ignore. */
    | { type: 'other' }
  )

export interface MediaEventOrigin {
  /** The same for every delivery of one event. */
  id: string
  /** When it happened, in whole seconds. */
  at: Date
  /** Null for an event that concerns no room. */
  roomName: string | null
  /** The room's server id; null when the event does not name it. */
  roomSid: string | null
}
