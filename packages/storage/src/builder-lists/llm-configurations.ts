import type { LlmConfigId, ProjectId, ProviderId } from '@troupe/contract'
import {
  boolean,
  json,
  nullable,
  number,
  type RowOfColumns,
  text,
  timestamp,
  uuid,
} from '../sql/client/columns.ts'
import { configurationRows } from './configuration-rows.ts'
import { mentionsOf, referenceOwners } from './resources/reference-owners.ts'

/** A user of a resource. */
export interface UserRow {
  kind: 'agent' | 'team' | 'workflow' | 'knowledge_base' | 'mcp_server'
  id: string
  name: string
}

const COLUMNS = `c.id, c.slug, c.name, c.project_id as "projectId", c.provider_id as "providerId", c.status,
  c.is_default as "isDefault", c.base_url as "baseUrl", c.settings, c.models, c.allow_unlisted_models as "allowUnlistedModels",
  c.sealed_credentials as "sealedCredentials", c.credentials_set_at as "credentialsSetAt", c.version,
  c.created_at as "createdAt", c.updated_at as "updatedAt"`

/**
 * Whether an owner `o` whose model names no configuration uses `r`: the default of its project, otherwise that of the
 * organization (see `defaultConfiguration`).
 */
const isDefaultOf = (organization: string, o: string) => `(r."isDefault" and r.status = 'connected'
      and (r."projectId" is not distinct from ${o}.project_id or (r."projectId" is null and not exists (
        select from llm_configurations d where d.organization_id = ${organization} and d.project_id = ${o}.project_id
          and d.is_default and d.status = 'connected'))))`

const details = (organization: string) => `
select (select p.name from projects p where p.organization_id = ${organization} and p.id = r."projectId") as "projectName",
  (select coalesce(json_agg(u), '[]'::json) from (
    select m.kind, m.id, m.name from mentions m where m.of = r.id
    union
    select n.kind, n.id, n.name from nameless n where ${isDefaultOf(organization, 'n')}
    union
    select 'workflow', w.id, w.name from workflow_resources x join workflows w on w.active_deployment_id = x.deployment_id
    where x.organization_id = ${organization} and x.resource_id = r.id and w.organization_id = ${organization}
      and w.deleted_at is null
    union
    select 'knowledge_base', b.id, b.name from knowledge_bases b where b.organization_id = ${organization}
      and r.id in (b.embedding_llm_config_id, b.next_llm_config_id)
    order by kind, name limit 100
  ) u) as "usedBy"`

/** A common table expression `nameless`: the users of a default, one of whose models names no configuration. */
const nameless = (organization: string) => `nameless as materialized (
  select distinct o.kind, o.id, o.name, o.project_id
  from (${referenceOwners(organization, "r.target_id is null and r.target_kind = 'llm_configuration'")}) o where not o.is_archived
)`

const ROW = {
  id: uuid<LlmConfigId>(),
  slug: text(),
  name: text(),
  projectId: nullable(uuid<ProjectId>()),
  providerId: text<ProviderId>(),
  status: text<'connected' | 'disconnected'>(),
  isDefault: boolean(),
  baseUrl: nullable(text()),
  settings: json<Record<string, unknown>>(),
  models: json<({ modelId: string } & Record<string, unknown>)[]>(),
  allowUnlistedModels: boolean(),
  sealedCredentials: nullable(text()),
  credentialsSetAt: json<Record<string, string>>(),
  version: number(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  projectName: nullable(text()),
  /** At most 100, by kind and name. */
  usedBy: json<UserRow[]>(),
}

/** An LLM configuration as a list shows it; its credentials stay sealed. */
export type LlmConfigurationRow = RowOfColumns<typeof ROW>

/** Reads of LLM configurations. */
export const llmConfigurationRows = configurationRows({
  names: ['list_llm_configurations', 'get_llm_configuration'],
  columns: ROW,
  alias: 'c',
  from: 'llm_configurations c',
  select: COLUMNS,
  searched: `concat_ws(' ', c.name, c.slug, c.provider_id)`,
  shared: (organization) => `${mentionsOf(organization)}, ${nameless(organization)}`,
  details,
})
