import type { OrganizationId } from '@troupe/contract'

// Every timestamp in this file is in milliseconds since the epoch.

/** What a poll for changes asks for. */
export interface WatchedThings {
  organizations: readonly {
    organizationId: OrganizationId
    /** Entries of the audit log after this one; null: none are asked for. */
    entriesAfter: number | null
    runs: boolean
    reviews: boolean
  }[]
  watched: readonly { organizationId: OrganizationId; kind: WatchedKind; id: string }[]
  /** Sessions of people who watch. */
  viewers: readonly Viewer[]
}

export type WatchedKind = 'workflow-run' | 'workflow' | 'deliveries'

/** Somebody who watches an organization. */
export interface Viewer {
  sessionId: string
  organizationId: OrganizationId
}

/** The answer to a poll. States are opaque texts that differ when something changed; null: there is no such thing. */
export interface ObservedChanges {
  organizations: readonly {
    organizationId: OrganizationId
    runs: string | null
    reviews: string | null
    /** The newest entry of the audit log of any organization. */
    newestEntry: number
    entries:
      | readonly { id: number; action: string; entityKind: string; entityId: string; at: number }[]
      | null
  }[]
  watched: readonly { organizationId: OrganizationId; kind: WatchedKind; id: string; state: string | null }[]
  /** Those who are still signed in and may still read the organization. */
  viewers: readonly Viewer[]
}
