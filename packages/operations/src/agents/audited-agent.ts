import type { AgentRecord } from '@troupe/storage'
import { redact } from '../audit/redact.ts'

/** An agent as the audit log keeps it. */
export function auditedAgent(
  agent: Omit<AgentRecord, 'versionId' | 'createdAt' | 'updatedAt'>,
): Record<string, unknown> {
  const { name, description, status, projectId, config, configSchemaVersion } = agent
  return { name, description, status, projectId, configSchemaVersion, config: redact(config) }
}
