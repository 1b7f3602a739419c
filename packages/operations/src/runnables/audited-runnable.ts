import type { AgentRecord, TeamRecord } from '@troupe/storage'
import { redact } from '../audit/redact.ts'
import { agentSettingsOf } from './agent-settings.ts'

type Unwritten<T> = Omit<T, 'versionId' | 'createdAt' | 'updatedAt'>

/** An agent or a team as recorded in the audit log. */
export function auditedRunnable(
  runnable: Unwritten<AgentRecord> | Unwritten<TeamRecord>,
): Record<string, unknown> {
  const { name, description, projectId, config, configSchemaVersion } = runnable
  return {
    ...{ name, description, projectId, configSchemaVersion, config: redact(config) },
    ...('status' in runnable && { status: runnable.status, ...agentSettingsOf(runnable) }),
  }
}
