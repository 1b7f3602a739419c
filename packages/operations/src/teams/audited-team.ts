import type { TeamRecord } from '@troupe/storage'
import { redact } from '../audit/redact.ts'

/** A team as recorded in the audit log. */
export function auditedTeam(
  team: Omit<TeamRecord, 'versionId' | 'createdAt' | 'updatedAt'>,
): Record<string, unknown> {
  const { name, description, projectId, config, configSchemaVersion } = team
  return { name, description, projectId, configSchemaVersion, config: redact(config) }
}
