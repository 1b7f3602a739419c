import type { OrganizationId } from '@troupe/contract'

export interface OrganizationRecord {
  id: OrganizationId
  slug: string
  name: string
  rpm: number
  concurrentRuns: number
  /** Days that the inputs and outputs of nodes are kept once their run has ended. */
  traceDays: number
  /** Days that a run of a workflow, and what was said in a voice session or call, is kept once it has ended. */
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
   * The organization, locked until the transaction ends: one transaction at a time deletes, moves or archives what others name.
   * Waits for every transaction that has locked or held it.
   */
  lock(id: OrganizationId): Promise<OrganizationRecord | null>
  /**
   * Keeps what the organization owns from being deleted, moved or archived until the transaction ends, for a save that names it.
   * Saves hold the organization at the same time, and a transaction that locks it waits for them. Who holds it must not lock it
   * later: two that do wait for each other.
   */
  hold(id: OrganizationId): Promise<void>
  /** Throws SqlError 23505 when the id or the slug is taken. */
  insert(record: WrittenOrganization): Promise<void>
  put(record: WrittenOrganization): Promise<void>
}
