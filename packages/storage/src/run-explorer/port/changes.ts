import type { OrganizationId, SignInRowId } from '@troupe/contract'

// Every timestamp in this file is in milliseconds since the epoch.

/** The query of a poll for changes. */
export interface WatchedThings {
  organizations: readonly {
    organizationId: OrganizationId
    /** Entries of the audit log after this one; null: none are requested. */
    entriesAfter: number | null
    /** Milliseconds; also requests entries of the last `recentMs`. null: none. */
    recentMs: number | null
    runs: boolean
    reviews: boolean
  }[]
  watched: readonly { organizationId: OrganizationId; kind: WatchedKind; id: string }[]
  /** Sessions of people with an open connection. */
  viewers: readonly Viewer[]
}

export type WatchedKind =
  | 'workflow-run'
  | 'workflow'
  | 'deliveries'
  | 'presence'
  | 'listeners'
  | 'pins'
  | 'unsaved'

/** A subscriber to the changes of an organization. */
export interface Viewer {
  sessionId: SignInRowId
  organizationId: OrganizationId
}

/** The audit entry of a change. */
export interface ChangedEntry {
  id: number
  action: string
  entityKind: string
  entityId: string
  at: number
}

/** The answer to a poll. States are opaque texts that differ after a change; null: it does not exist. */
export interface ObservedChanges {
  organizations: readonly {
    organizationId: OrganizationId
    runs: string | null
    reviews: string | null
    /** The newest entry of the audit log of any organization. If there are more `entries` than fit into one answer, the last of those. */
    newestEntry: number
    entries: readonly ChangedEntry[] | null
    /** Entries of `recentMs`; null if they were not requested, or are too many to list. */
    recent: readonly ChangedEntry[] | null
  }[]
  watched: readonly {
    organizationId: OrganizationId
    kind: WatchedKind
    id: string
    /** For a workflow, the state without its draft. */
    state: string | null
    /** null for other kinds than workflows. */
    draftRevision: number | null
  }[]
  /** The viewers who are still signed in and may still read the organization. */
  viewers: readonly Viewer[]
}
