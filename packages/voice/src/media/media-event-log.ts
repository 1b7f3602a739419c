/** The handled events of the media server. */
export interface MediaEventLog {
  /** Records an event. False: it was recorded before. */
  note(id: string, at: Date): Promise<boolean>
  /** Deletes events that were received before a time. */
  sweep(before: Date): Promise<void>
}
