import type { RunTarget, Scope } from '@troupe/agents/ports'
import type { SqlValue } from '../../sql/sql-client.ts'

/**
 * The run `r` that a caller names, within the caller's scope; $1 to $5 are {@link rootValues}. Members' runs are not
 * found by their own id, and a target without an entity names a job.
 */
export const ROOT_IN_SCOPE = `r.id = $1::uuid and r.organization_id = $2::uuid and r.kind = $3::text
    and case when $4::uuid is null then r.source = 'api_async' else r.entity_id = $4::uuid end
    and ($5::uuid is null or r.project_id = $5::uuid) and r.parent_run_id is null`

export function rootValues({ organizationId, projectId }: Scope, target: RunTarget): SqlValue[] {
  return [target.runId, organizationId, target.kind, target.entityId, projectId]
}
