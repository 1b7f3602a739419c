/** What changed, as the server says it: pages ask for what they show. */
export interface ChangeNote {
  topic: string
  /** Of the topic `configuration`; null otherwise. `entryId` is the same whenever the same change is told. */
  /** Of a topic `workflow:<id>`, when the draft has changed: its revision, and whether nothing else has changed. */
  draft: { revision: number; isAlone: boolean } | null
  change: { entryId: number; action: string; entityKind: string; entityId: string } | null
}

/** Topics are read from now on. */
export interface ReadyNote {
  topics: readonly string[]
  /** Milliseconds since the epoch: changes of `configuration` since then are told as notes, others of before are not. */
  configurationSince: number
}

/** What a listener is told. */
export type FeedNote = { kind: 'changed'; note: ChangeNote } | { kind: 'ready'; configurationSince: number }
