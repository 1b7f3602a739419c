/** The handled events of the media server. */
export interface MediaEventLog {
  /** False: this event was noted before. */
  note(id: string, at: Date): Promise<boolean>
  /** Forgets events that were received before a time. */
  sweep(before: Date): Promise<void>
}
