import type { AgentId, AgentStatus, AgentVersionId, OrganizationId } from '@troupe/contract'
import type { AgentRecord, StoredReader, StoredWriter } from '../runnables/stored-port.ts'

export interface AgentReader extends StoredReader<AgentRecord> {
  /**
   * The agent as of one of its versions: name, description and configuration are the version's, all other fields are
   * current.
   */
  versionById(organizationId: OrganizationId, versionId: AgentVersionId): Promise<AgentRecord | null>
}

export interface AgentWriter extends StoredWriter<AgentRecord> {
  /** Sets the status, which belongs to no version. */
  setStatus(organizationId: OrganizationId, id: AgentId, status: AgentStatus): Promise<AgentRecord>
}
