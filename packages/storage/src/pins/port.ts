import type { OrganizationId, WorkflowId } from '@troupe/contract'
import type { workflowPins } from '../tables/configuration/pins.ts'

/** An output that tests use instead of running a step. */
export type PinRecord = Omit<typeof workflowPins.$inferSelect, 'removedStep' | 'removedAt'>

export interface PinReader {
  /** All pins of a workflow that are in effect, including those of steps that its draft no longer has. */
  list(organizationId: OrganizationId, workflowId: WorkflowId): Promise<PinRecord[]>
  /** The number of these pins except that of `nodeId`, and the bytes of their outputs. */
  size(
    organizationId: OrganizationId,
    workflowId: WorkflowId,
    nodeId: string,
  ): Promise<{ count: number; bytes: number }>
}

/** The caller holds the lock of the workflow's row. */
export interface PinWriter {
  put(record: Omit<PinRecord, 'updatedAt'>): Promise<void>
  /** Deletes the pins of steps. @returns how many there were */
  delete(organizationId: OrganizationId, workflowId: WorkflowId, nodeIds: readonly string[]): Promise<number>
  /**
   * Keeps the pins of removed steps for an undo, out of effect: per workflow the newest 100, and 4 MB of them.
   *
   * @param steps the hash of each removed step by its id
   * @returns the ids of the steps that had one in effect
   */
  setAside(
    organizationId: OrganizationId,
    workflowId: WorkflowId,
    steps: ReadonlyMap<string, string>,
  ): Promise<string[]>
  /**
   * Restores the pins of steps that are in the draft again with the hash that they had when removed. A pin that a later step with the same
   * id covers stays out of effect.
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
   * Remembers, for kept pins, the removal of a later step with the same id: an undo restores that step first.
   *
   * @param steps the hash of each removed step by its id
   */
  cover(
    organizationId: OrganizationId,
    workflowId: WorkflowId,
    steps: ReadonlyMap<string, string>,
  ): Promise<void>
  /** Deletes kept pins of removed steps whose ids other steps have now. */
  deleteAside(
    organizationId: OrganizationId,
    workflowId: WorkflowId,
    nodeIds: readonly string[],
  ): Promise<void>
  /** Moves pins to other ids, which have none or are moved too. @param newIds by the previous ids */
  move(
    organizationId: OrganizationId,
    workflowId: WorkflowId,
    newIds: ReadonlyMap<string, string>,
  ): Promise<void>
}
