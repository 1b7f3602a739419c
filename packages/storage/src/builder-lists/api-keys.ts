import type { ApiKeyId, OrganizationId, ProjectId, UserId } from '@troupe/contract'
import { nullable, number, type RowOfColumns, text, timestamp, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { configurationRows } from './configuration-rows.ts'

const COLUMNS = `k.id, k.name, k.hint, k.project_id as "projectId", k.rpm, k.expires_at as "expiresAt",
  k.revoked_at as "revokedAt", k.last_used_at as "lastUsedAt", k.created_by as "createdBy", k.replaces_id as "replacesId",
  k.created_at as "createdAt"`

/** The names beside the ids of a row `r`; `organization` limits them to the row's own. */
const names = (organization: string) => `
select (select p.name from projects p where p.organization_id = ${organization} and p.id = r."projectId") as "projectName",
  (select u.name from users u where u.id = r."createdBy") as "createdByName",
  (select n.name from api_keys n where n.organization_id = ${organization} and n.replaces_id = r.id
    and n.revoked_at is null order by n.created_at limit 1) as "successorName"`

const ROW = {
  id: uuid<ApiKeyId>(),
  name: text(),
  hint: text(),
  projectId: nullable(uuid<ProjectId>()),
  rpm: nullable(number()),
  expiresAt: nullable(timestamp()),
  revokedAt: nullable(timestamp()),
  lastUsedAt: nullable(timestamp()),
  createdBy: nullable(uuid<UserId>()),
  replacesId: nullable(uuid<ApiKeyId>()),
  createdAt: timestamp(),
  projectName: nullable(text()),
  createdByName: nullable(text()),
  /** The name of the unrevoked key that replaces this one; null if there is none. */
  successorName: nullable(text()),
}

/** An API key as a list shows it. */
export type ApiKeyRow = RowOfColumns<typeof ROW>

const FLUSH = statement<'uses'>(
  'flush_api_key_uses',
  (p) => `
update api_keys k set last_used_at = greatest(k.last_used_at, u.at)
from json_to_recordset(${p.uses}::json) u(id uuid, organization_id uuid, at timestamptz)
where k.id = u.id and k.organization_id = u.organization_id`,
)

/** An accepted request of a key. */
export interface ApiKeyUse {
  id: ApiKeyId
  organizationId: OrganizationId
  /** Milliseconds since the epoch. */
  at: number
}

/** Stores the times of the last use of keys. Concurrent flushes of several processes keep the latest time. */
export async function flushApiKeyUses(client: SqlClient, uses: readonly ApiKeyUse[]): Promise<void> {
  // Sorted, so that concurrent flushes do not deadlock.
  const rows = uses
    .map(({ id, organizationId, at }) => ({
      id,
      organization_id: organizationId,
      at: new Date(at).toISOString(),
    }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  await client.query(...FLUSH({ uses: JSON.stringify(rows) }))
}

/** Reads of API keys. */
export const apiKeyRows = configurationRows({
  names: ['list_api_keys', 'get_api_key'],
  columns: ROW,
  alias: 'k',
  from: 'api_keys k',
  select: COLUMNS,
  selectOfPage: `${COLUMNS}, greatest(k.created_at, k.revoked_at) as "updatedAt"`,
  searched: 'k.name',
  details: names,
})
