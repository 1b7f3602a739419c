import type { AgentRecord } from '@troupe/storage'
import { redact } from '../audit/redact.ts'

/** An agent as recorded in the audit log. */
export function auditedAgent(
  agent: Omit<AgentRecord, 'versionId' | 'createdAt' | 'updatedAt'>,
): Record<string, unknown> {
  const { name, description, status, projectId, config, configSchemaVersion } = agent
  return { name, description, status, projectId, configSchemaVersion, config: redact(config) }
}
