import type { AgentRecord, TeamRecord } from '@troupe/storage'
import { redact } from '../audit/redact.ts'

/** The fields of both kinds, and the status, which only agents have. */
type Audited = Pick<
  AgentRecord | TeamRecord,
  'name' | 'description' | 'projectId' | 'config' | 'configSchemaVersion'
> &
  Partial<Pick<AgentRecord, 'status'>>

/** An agent or a team as recorded in the audit log. */
export function auditedRunnable(runnable: Audited): Record<string, unknown> {
  const { name, description, status, projectId, config, configSchemaVersion } = runnable
  return {
    ...{ name, description, projectId, configSchemaVersion, config: redact(config) },
    ...(status !== undefined && { status }),
  }
}
