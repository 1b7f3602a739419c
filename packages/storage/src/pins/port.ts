import type { OrganizationId, WorkflowId } from '@troupe/contract'

/** An output that tests take in place of running a step. */
export interface PinRecord {
  organizationId: OrganizationId
  workflowId: WorkflowId
  nodeId: string
  output: unknown
  /** The same without secrets, and cut. */
  shown: unknown
  handles: string[] | null
  inputHash: string
  fromRunId: string | null
  secretNames: string[]
  updatedAt: Date
}

export interface PinReader {
  /** All pins of a workflow that are not set aside, also those of steps that its draft does not have. */
  list(organizationId: OrganizationId, workflowId: WorkflowId): Promise<PinRecord[]>
  /** Of all of these pins but that of `nodeId`: how many there are, and the bytes of their outputs. */
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
   * Sets the pins of removed steps aside, so that an undo brings them back: of a workflow the newest 100 and 4 MB of them.
   *
   * @param steps the hash of each removed step by its id
   */
  setAside(
    organizationId: OrganizationId,
    workflowId: WorkflowId,
    steps: ReadonlyMap<string, string>,
  ): Promise<void>
  /**
   * Brings back the pins of steps that are in the draft again as they were when they were removed, and deletes those of other steps
   * under the same ids.
   *
   * @param steps the hash of each added step by its id
   */
  bringBack(
    organizationId: OrganizationId,
    workflowId: WorkflowId,
    steps: ReadonlyMap<string, string>,
  ): Promise<void>
  /** Puts pins under other ids, which have none. @param newIds by the former ids */
  move(
    organizationId: OrganizationId,
    workflowId: WorkflowId,
    newIds: ReadonlyMap<string, string>,
  ): Promise<void>
}
