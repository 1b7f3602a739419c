import type { RunnableKind } from '@troupe/agents/ports'
import type { AnyVersionId, OrganizationId } from '@troupe/contract'
import type { Actor } from '../audit/port.ts'
import { uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { storableJson, storableNullable, storableText } from '../sql/client/storable.ts'
import { RUNNABLE_TABLES } from '../tables/table-name.ts'

/** Identifies the agent or team of a version. */
export interface VersionOwner {
  kind: RunnableKind
  organizationId: OrganizationId
  id: string
}

/** A version to write: with a number, or with the hash of its content for a draft of the playground. */
interface NewVersion {
  versionId: AnyVersionId
  n: number | null
  contentHash: string | null
  name: string
  description: string | null
  config: object
  configSchemaVersion: number
  createdBy: Pick<Actor, 'kind' | 'id'>
}

type Parameter =
  | 'organizationId'
  | 'ownerId'
  | Exclude<keyof NewVersion, 'createdBy'>
  | 'createdByKind'
  | 'createdById'

const written = (kind: RunnableKind) =>
  statement<Parameter>(
    `${kind}_version_written`,
    (p) => `
insert into ${RUNNABLE_TABLES[kind].versions} (id, organization_id, ${kind}_id, n, content_hash, name, description, config,
  config_schema_version, created_by_kind, created_by_id)
values (${p.versionId}::uuid, ${p.organizationId}::uuid, ${p.ownerId}::uuid, ${p.n}::int, ${p.contentHash}::text, ${p.name}::text,
  ${p.description}::text, ${p.config}::json, ${p.configSchemaVersion}::int, ${p.createdByKind}::text, ${p.createdById}::text)
on conflict (${kind}_id, content_hash) do update set created_at = now()
returning id`,
  ).returning({ id: uuid<AnyVersionId>() })

const WRITTEN = { agent: written('agent'), team: written('team') }

/** Writes a version and returns its id. A draft that is already stored gets the current time. */
export async function writeVersion(
  client: SqlClient,
  { kind, organizationId, id: ownerId }: VersionOwner,
  { versionId, n, contentHash, name, description, config, configSchemaVersion, createdBy }: NewVersion,
): Promise<string> {
  const [row] = await client.query(
    ...WRITTEN[kind]({
      ...{ versionId, organizationId, ownerId, n, contentHash, configSchemaVersion },
      name: storableText(name),
      description: storableNullable(description),
      config: storableJson(config),
      createdByKind: createdBy.kind,
      createdById: createdBy.id,
    }),
  )
  return row?.id ?? versionId
}
