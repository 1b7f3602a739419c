import type { OrganizationId } from '@troupe/contract'

// Every timestamp in this file is in milliseconds since the epoch.

/** What a poll for changes asks for. */
export interface WatchedThings {
  organizations: readonly {
    organizationId: OrganizationId
    /** Entries of the audit log after this one; null: none are asked for. */
    entriesAfter: number | null
    /** Milliseconds; entries of this long before now are asked for, too. null: none. */
    recentMs: number | null
    runs: boolean
    reviews: boolean
  }[]
  watched: readonly { organizationId: OrganizationId; kind: WatchedKind; id: string }[]
  /** Sessions of people who watch. */
  viewers: readonly Viewer[]
}

export type WatchedKind = 'workflow-run' | 'workflow' | 'deliveries' | 'presence'

/** A subscriber to the changes of an organization. */
export interface Viewer {
  sessionId: string
  organizationId: OrganizationId
}

/** What the audit log says of a change. */
export interface ChangedEntry {
  id: number
  action: string
  entityKind: string
  entityId: string
  at: number
}

/** The answer to a poll. States are opaque texts that differ when something changed; null: there is no such thing. */
export interface ObservedChanges {
  organizations: readonly {
    organizationId: OrganizationId
    runs: string | null
    reviews: string | null
    /** The newest entry of the audit log of any organization; when there are more `entries` than one answer has, the last of those. */
    newestEntry: number
    entries: readonly ChangedEntry[] | null
    /** Those of `recentMs`; null when they were not asked for, or are too many to list. */
    recent: readonly ChangedEntry[] | null
  }[]
  watched: readonly {
    organizationId: OrganizationId
    kind: WatchedKind
    id: string
    /** Of a workflow without its draft. */
    state: string | null
    /** null for other things than workflows. */
    draftRevision: number | null
  }[]
  /** Those who are still signed in and may still read the organization. */
  viewers: readonly Viewer[]
}
