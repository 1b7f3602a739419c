import type { OrganizationId, WorkflowId } from '@troupe/contract'
import type { workflowPins } from '../tables/configuration/pins.ts'

/** An output that tests use instead of running a step. */
export type PinRecord = Omit<typeof workflowPins.$inferSelect, 'removedStep' | 'removedAt'>

export interface PinReader {
  /** All active pins of a workflow, including those of steps that are no longer in its draft. */
  list(organizationId: OrganizationId, workflowId: WorkflowId): Promise<PinRecord[]>
  /** The number of active pins and the bytes of their outputs, without the pin of `nodeId`. */
  size(
    organizationId: OrganizationId,
    workflowId: WorkflowId,
    nodeId: string,
  ): Promise<{ count: number; bytes: number }>
}

/** The caller must hold the lock of the workflow's row. */
export interface PinWriter {
  put(record: Omit<PinRecord, 'updatedAt'>): Promise<void>
  /** Deletes the pins of steps. @returns the number of deleted pins */
  delete(organizationId: OrganizationId, workflowId: WorkflowId, nodeIds: readonly string[]): Promise<number>
  /**
   * Deactivates the pins of removed steps and keeps them for an undo: the newest 100 per workflow, at most 4 MB.
   *
   * @param steps the hash of each removed step by its id
   * @returns the ids of the steps that had an active pin
   */
  setAside(
    organizationId: OrganizationId,
    workflowId: WorkflowId,
    steps: ReadonlyMap<string, string>,
  ): Promise<string[]>
  /**
   * Reactivates the pins of steps that are back in the draft with the hash they had when they were removed. A pin stays
   * inactive while a later step with the same id covers it.
   *
   * @param steps the hash of each step by its id
   * @returns the ids of the steps that had been removed with this hash
   */
  bringBack(
    organizationId: OrganizationId,
    workflowId: WorkflowId,
    steps: ReadonlyMap<string, string>,
  ): Promise<string[]>
  /**
   * Records, for inactive pins, that a later step with the same id was removed: an undo restores that step first.
   *
   * @param steps the hash of each removed step by its id
   */
  cover(
    organizationId: OrganizationId,
    workflowId: WorkflowId,
    steps: ReadonlyMap<string, string>,
  ): Promise<void>
  /** Deletes inactive pins whose step ids are now used by other steps. */
  deleteAside(
    organizationId: OrganizationId,
    workflowId: WorkflowId,
    nodeIds: readonly string[],
  ): Promise<void>
  /** Moves pins to new ids; each new id is unused, or its own pin moves too. @param newIds by the previous ids */
  move(
    organizationId: OrganizationId,
    workflowId: WorkflowId,
    newIds: ReadonlyMap<string, string>,
  ): Promise<void>
}
