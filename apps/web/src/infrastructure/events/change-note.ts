/** A change, as sent by the server: pages refetch their data. */
export interface ChangeNote {
  topic: string
  /**
   * Of a topic `workflow:<id>`, when the draft has changed: its revision, and whether only the draft has changed. Null
   * otherwise.
   */
  draft: { revision: number; isAlone: boolean } | null
  /** Of the topic `configuration`; null otherwise. `entryId` is the same for each notification of one change. */
  change: { entryId: number; action: string; entityKind: string; entityId: string } | null
}

/** Topics are read from now on. */
export interface ReadyNote {
  topics: readonly string[]
  /** Milliseconds since the epoch: later changes of `configuration` are sent as notes, earlier ones are not. */
  configurationSince: number
}

/** A notification of a listener. */
export type FeedNote = { kind: 'changed'; note: ChangeNote } | { kind: 'ready'; configurationSince: number }
