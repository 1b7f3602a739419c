import { isDeepStrictEqual } from 'node:util'
import type {
  OrganizationId,
  ProjectId,
  WorkflowDeploymentId,
  WorkflowId,
  WorkflowVersionId,
} from '@troupe/contract'
import { NEWEST_ENTRY, NEWEST_ENTRY_COLUMNS, newestEntryOf } from '../builder-lists/audit-joins.ts'
import { nodeReferences } from '../config-references/draft-references.ts'
import { writeReferences } from '../config-references/write-references.ts'
import { boolean, json, nullable, number, text, timestamp, uuid } from '../sql/client/columns.ts'
import { statement } from '../sql/client/statement.ts'
import { storableJson, storableNullable } from '../sql/client/storable.ts'
import type { WriteContext } from '../tables/drizzle/write-context.ts'
import { toWorkflowRecord } from './columns.ts'
import type { DraftSave, WorkflowWriter } from './port.ts'

/**
 * Bytes of saves since a kept state that make the next one due: a read combines 8 MB of saves. A single larger save is
 * included in the next kept state.
 */
const RECENT_BYTES = 2 * 1024 * 1024

/** Whether a version equals a draft, by their hashes. */
const isPublished = (hash: string) => `coalesce((
  select v.graph_hash = ${hash} from workflow_deployments d join workflow_versions v on v.id = d.version_id
  where d.id = w.active_deployment_id), false)`

// PostgreSQL evaluates the columns of the locked row again if the row has changed during the wait. The joined saved
// change is still from the snapshot before the wait.
const LOCK = statement<'organizationId' | 'id' | 'revision' | 'at' | 'changeId'>(
  'lock_workflow_draft',
  (p) => {
    const isKnown = `(${p.revision}::int is not null and w.draft_revision = ${p.revision}::int and w.updated_at = ${p.at}::timestamptz)`
    return `
select w.id, w.organization_id as "organizationId", w.project_id as "projectId", w.slug, w.name, w.description,
  w.draft_revision as "draftRevision", w.version_number as "versionNumber", w.created_at as "createdAt", w.updated_at as "updatedAt",
  w.active_deployment_id as "activeDeploymentId", d.id as "deploymentId", d.version_id as "deployedVersionId", d.published_at as "publishedAt",
  case when not ${isKnown} then w.draft end as draft, ${isKnown} as "isKnown",
  ${isPublished('w.draft_hash')} as "isDraftPublished", c.revision as "savedRevision", c.at as "savedAt"
from workflows w
left join workflow_deployments d on d.id = w.active_deployment_id
left join workflow_draft_changes c on c.workflow_id = w.id and c.change_id = ${p.changeId}::uuid
where w.organization_id = ${p.organizationId}::uuid and w.id = ${p.id}::uuid and w.deleted_at is null
for update of w`
  },
).returning({
  id: uuid<WorkflowId>(),
  organizationId: uuid<OrganizationId>(),
  projectId: nullable(uuid<ProjectId>()),
  slug: nullable(text()),
  name: text(),
  description: nullable(text()),
  draftRevision: number(),
  versionNumber: number(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  activeDeploymentId: nullable(uuid<WorkflowDeploymentId>()),
  deploymentId: nullable(uuid<WorkflowDeploymentId>()),
  deployedVersionId: nullable(uuid<WorkflowVersionId>()),
  publishedAt: nullable(timestamp()),
  draft: nullable(json<unknown>()),
  isKnown: boolean(),
  isDraftPublished: boolean(),
  savedRevision: nullable(number()),
  savedAt: nullable(timestamp()),
})

const SAVED_CHANGE = statement<'organizationId' | 'id' | 'changeId'>(
  'saved_workflow_change',
  (p) => `
select c.revision, c.at from workflow_draft_changes c
where c.organization_id = ${p.organizationId}::uuid and c.workflow_id = ${p.id}::uuid and c.change_id = ${p.changeId}::uuid`,
).returning({ revision: number(), at: timestamp() })

type SaveParameter =
  | (
      | 'organizationId'
      | 'id'
      | 'revision'
      | 'json'
      | 'formerBytes'
      | 'pieces'
      | 'hash'
      | 'triggers'
      | 'changes'
    )
  | ('changeId' | 'actorKind' | 'actorId' | 'gesture')

// All writes of a save to the locked row. Every part of the statement sees the row as it was before, so the kept state
// is the previous draft. A piece is a byte range of the previous draft and a text after it, so that a save sends its
// changes and not the whole draft.
const SAVE = statement<SaveParameter>(
  'save_workflow_draft',
  (p) => `
with former as materialized (
  select convert_to(w.draft::text, 'UTF8') as bytes from workflows w
  where ${p.json}::text is null and w.organization_id = ${p.organizationId}::uuid and w.id = ${p.id}::uuid
), next as (
  select ${p.json}::text::json as draft where ${p.json}::text is not null
  union all
  select convert_from(string_agg(substring(f.bytes from (one.value->>0)::int + 1 for (one.value->>1)::int)
    || convert_to(one.value->>2, 'UTF8'), ''::bytea order by one.n), 'UTF8')::json
  from former f, json_array_elements(${p.pieces}::json) with ordinality as one (value, n)
  where octet_length(f.bytes) = ${p.formerBytes}::int
  having count(*) > 0
), saved as (
  update workflows w
  set draft = next.draft, draft_hash = ${p.hash}::bigint, draft_revision = w.draft_revision + 1, updated_at = now(),
    draft_triggers = array(select json_array_elements_text(${p.triggers}::json))
  from next
  where w.organization_id = ${p.organizationId}::uuid and w.id = ${p.id}::uuid and w.deleted_at is null
    and w.draft_revision = ${p.revision}::int and not exists (
      select from workflow_draft_changes c where c.workflow_id = w.id and c.change_id = ${p.changeId}::uuid)
  returning w.id, w.draft_revision as revision, w.updated_at as at, ${isPublished(`${p.hash}::bigint`)} as "isDraftPublished"
), kept as (
  insert into workflow_draft_snapshots (organization_id, workflow_id, revision, draft, bytes, at)
  select w.organization_id, w.id, w.draft_revision, w.draft, octet_length(w.draft::text), now()
  from workflows w join saved on saved.id = w.id
  where not exists (select from (
      select s.revision, s.at from workflow_draft_snapshots s where s.workflow_id = w.id order by s.revision desc limit 1
    ) s where s.at > now() - interval '5 minutes' and s.revision > w.draft_revision - 100
      and (select coalesce(sum(octet_length(c.changes::text)), 0) from workflow_draft_changes c
        where c.workflow_id = w.id and c.revision > s.revision) <= ${RECENT_BYTES})
  on conflict (workflow_id, revision) do nothing
), recorded as (
  insert into workflow_draft_changes (organization_id, workflow_id, revision, change_id, changes, actor_kind, actor_id, gesture, at)
  select ${p.organizationId}::uuid, saved.id, saved.revision, ${p.changeId}::uuid, ${p.changes}::json, ${p.actorKind}::text,
    ${p.actorId}::text, ${p.gesture}::text, saved.at
  from saved
)
select saved.revision, saved.at, saved."isDraftPublished", ${NEWEST_ENTRY_COLUMNS}
from saved left join lateral (
  ${newestEntryOf(`${p.organizationId}::uuid`, `'workflow'`, `${p.id}::text`)}
) a on true`,
).returning({ revision: number(), at: timestamp(), isDraftPublished: boolean() }, NEWEST_ENTRY)

/** The statements of a save of some changes of a draft: one locks the row, one writes. */
export function draftSaves({
  db,
  client,
  signal,
}: WriteContext): Pick<WorkflowWriter, 'lockDraft' | 'savedChange' | 'saveDraft'> {
  return {
    async lockDraft(organizationId, id, known, changeId) {
      const [revision, at] = [known?.revision ?? null, known?.at.toISOString() ?? null]
      const lock = () => client.query(...LOCK({ organizationId, id, revision, at, changeId }))
      const [first] = await lock()
      if (!first) return null
      // After a wait for a publish, the joined deployments predate it. The row is locked now, so a second read sees the
      // current ones.
      const [row = first] = first.activeDeploymentId === first.deploymentId ? [] : await lock()
      const { isKnown, isDraftPublished, savedRevision, savedAt, activeDeploymentId: _, ...record } = row
      const saved =
        savedRevision === null || savedAt === null ? null : { revision: savedRevision, at: savedAt }
      return { ...toWorkflowRecord(record), isKnown, isDraftPublished, saved }
    },
    async savedChange(organizationId, id, changeId) {
      const [row] = await client.query(...SAVED_CHANGE({ organizationId, id, changeId }))
      return row ?? null
    },
    async saveDraft(save) {
      const { organizationId, id, revision, draft, changeId, savedBy } = save
      const [row] = await client.query(
        ...SAVE({
          ...{ organizationId, id, revision, changeId },
          json: 'json' in draft ? draft.json : null,
          formerBytes: 'json' in draft ? null : draft.formerBytes,
          pieces: 'json' in draft ? null : JSON.stringify(draft.pieces),
          hash: draft.hash,
          triggers: JSON.stringify(save.triggers),
          changes: storableJson(save.changes),
          ...{ actorKind: savedBy.kind, actorId: savedBy.id },
          gesture: storableNullable(save.gesture),
        }),
      )
      if (!row) return null
      // Runs do not read drafts, so caches of the configuration remain valid.
      signal({ kind: 'draft_changed', organizationId })
      await moveReferences(db, save)
      const { revision: saved, at, isDraftPublished, ...newest } = row
      return {
        ...{ revision: saved, at, isDraftPublished },
        newestEntry: newest.id === null ? null : newest,
      }
    },
  }
}

/** A draft may have thousands of references, of which a save changes few. */
async function moveReferences(
  db: WriteContext['db'],
  { organizationId, id, changedNodes }: DraftSave,
): Promise<void> {
  const [before, after] = [
    nodeReferences(changedNodes.map((node) => node.before)),
    nodeReferences(changedNodes.map((node) => node.after)),
  ]
  if (isDeepStrictEqual(before, after)) return
  const paths = before.map(({ path }) => path)
  await writeReferences(db, { organizationId, kind: 'workflow', id }, after, paths)
}
