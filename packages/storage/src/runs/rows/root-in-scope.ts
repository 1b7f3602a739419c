import type { RunTarget, Scope } from '@troupe/agents/ports'
import type { ParameterValues, Placeholders } from '../../sql/client/statement.ts'

/** The parameters of {@link rootInScope}. */
export type RootParameter = 'runId' | 'organizationId' | 'kind' | 'entityId' | 'projectId' | 'isPlayground'

/**
 * The run `r` with the given id, within the caller's scope. Members' runs cannot be looked up by their own
 * id, and a target without an entity means a job.
 */
export function rootInScope(p: Placeholders<RootParameter>): string {
  return `r.id = ${p.runId}::uuid and r.organization_id = ${p.organizationId}::uuid and r.kind = ${p.kind}::text
    and case when ${p.entityId}::uuid is null then r.source = 'api_async' else r.entity_id = ${p.entityId}::uuid end
    and r.is_test = ${p.isPlayground}::boolean
    and (${p.projectId}::uuid is null or r.project_id = ${p.projectId}::uuid) and r.parent_run_id is null`
}

export function rootValues(
  { organizationId, projectId }: Scope,
  { runId, kind, entityId, isPlayground }: RunTarget,
): ParameterValues<RootParameter> {
  return { runId, organizationId, kind, entityId, projectId, isPlayground }
}
