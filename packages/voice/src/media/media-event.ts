/**
 * An event that a media server reports by webhook. Delivery is best effort: events may be lost, repeated or out of
 * order, so they only move rows, and nothing is counted by them.
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
