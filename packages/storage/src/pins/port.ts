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
  /** All pins of a workflow, also those of steps that its draft does not have. */
  list(organizationId: OrganizationId, workflowId: WorkflowId): Promise<PinRecord[]>
  /** Of all pins but that of `nodeId`: how many there are, and the bytes of their outputs. */
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
  /** Puts pins under other ids, which have none. @param newIds by the former ids */
  move(
    organizationId: OrganizationId,
    workflowId: WorkflowId,
    newIds: ReadonlyMap<string, string>,
  ): Promise<void>
}
