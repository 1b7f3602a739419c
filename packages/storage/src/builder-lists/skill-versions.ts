import type { OrganizationId, SkillId } from '@troupe/contract'
import { boolean, json, nullable, number, text, timestamp } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { type RowOf, statement } from '../sql/client/statement.ts'
import { storableText } from '../sql/client/storable.ts'

const PAGE = statement<'organizationId' | 'skillId' | 'limit' | 'offset'>(
  'list_skill_versions',
  (p) => `
select v.version, v.description, array_to_json(v.allowed_tools) as "allowedTools", v.files, v.created_at as "createdAt"
from skill_versions v join skills s on s.id = v.skill_id
where s.organization_id = ${p.organizationId}::uuid and s.id = ${p.skillId}::uuid
order by v.version desc limit ${p.limit}::int offset ${p.offset}::bigint`,
).returning({
  version: number(),
  description: text(),
  allowedTools: nullable(json<string[]>()),
  files: json<{ path: string; sizeBytes: number; isText: boolean }[]>(),
  createdAt: timestamp(),
})

/** A version of a skill without its texts. */
export type SkillVersionRow = RowOf<typeof PAGE>

const FILE = statement<'organizationId' | 'skillId' | 'version' | 'path'>(
  'get_skill_file',
  (p) => `
select v.version, (v.texts::jsonb)->>${p.path}::text as text,
  exists (select from jsonb_array_elements(v.files::jsonb) f where f->>'path' = ${p.path}::text) as "isFile"
from skill_versions v join skills s on s.id = v.skill_id
where s.organization_id = ${p.organizationId}::uuid and s.id = ${p.skillId}::uuid
  and v.version = coalesce(${p.version}::int, s.newest_version)`,
).returning({ version: number(), text: nullable(text()), isFile: boolean() })

/** A file of a version; `isFile` is false when the version has none at this path. */
export interface SkillFileRow {
  version: number
  /** null: its content is not kept. */
  text: string | null
  isFile: boolean
}

/** Reads of versions of skills, numbered from 1 without gaps. */
export function skillVersionRows(client: SqlClient) {
  return {
    /** Newest first. */
    page: (
      organizationId: OrganizationId,
      skillId: SkillId,
      { page, limit }: { page: number; limit: number },
    ): Promise<SkillVersionRow[]> =>
      client.query(...PAGE({ organizationId, skillId, limit, offset: (page - 1) * limit })),
    /** A file of the newest version if `version` is null; null if there is no such version. */
    async file(
      organizationId: OrganizationId,
      skillId: SkillId,
      { version, path }: { version: number | null; path: string },
    ): Promise<SkillFileRow | null> {
      const [row] = await client.query(
        ...FILE({ organizationId, skillId, version, path: storableText(path) }),
      )
      return row ?? null
    },
  }
}
