import type { OrganizationId } from '@troupe/contract'

export interface OrganizationRecord {
  id: OrganizationId
  slug: string
  name: string
  rpm: number
  concurrentRuns: number
  /** Days that inputs and outputs of nodes are kept after the end of their run. */
  traceDays: number
  /** Days that a run of a workflow, or the transcript of a voice session or call, is kept after its end. */
  runDays: number
  /** Increases with every change. */
  version: number
}

/** An organization without the number of its version. */
export type OrganizationSettings = Omit<OrganizationRecord, 'version'>

/** The fields of an organization to write; retention is unchanged unless it is set. */
export type WrittenOrganization = Omit<OrganizationRecord, 'traceDays' | 'runDays' | 'version'> &
  Partial<Pick<OrganizationRecord, 'traceDays' | 'runDays'>>

export interface OrganizationReader {
  bySlug(slug: string): Promise<OrganizationRecord | null>
  byId(id: OrganizationId): Promise<OrganizationRecord | null>
  /** For the operator only (bundles, seeding). */
  all(): Promise<OrganizationRecord[]>
}

export interface OrganizationWriter {
  /**
   * The organization, locked until the transaction ends: only one transaction at a time deletes, moves or archives
   * resources that others may reference. Waits for every transaction that has locked or held it.
   */
  lock(id: OrganizationId): Promise<OrganizationRecord | null>
  /**
   * Prevents resources of the organization from being deleted, moved or archived until the transaction ends, for a save
   * that references them. This lock is shared between saves, and a transaction that locks the organization waits for
   * them. A holder must not lock it later: two such lock upgrades would deadlock.
   */
  hold(id: OrganizationId): Promise<void>
  /**
   * Waits until no other transaction creates a resource with this id, and makes others wait until this one ends: the
   * organization lock alone is shared, so two of its holders would not see each other's rows. Called before the id is
   * looked up.
   */
  holdResourceId(id: string): Promise<void>
  /** Throws SqlError 23505 when the id or the slug is taken. */
  insert(record: WrittenOrganization): Promise<void>
  put(record: WrittenOrganization): Promise<void>
}
