import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'

/** Maximum stored saves of one draft. */
const MOST_REVISIONS = 5_000
/** Maximum stored states of one draft. */
const MOST_SNAPSHOTS = 200
/** Maximum timeline entries of one draft for kept or replaced states. */
const MOST_KEEPS = 1_000
const MOST_SNAPSHOT_BYTES = 64 * 1024 * 1024

/** The changes of each save of workflows' drafts, and whole states of them. */
export interface DraftChanges {
  /**
   * Deletes, of each draft, saved changes and kept states from before a time, all but the last 5,000 revisions, all but
   * the newest 200 states and 64 MB of them, and all but the newest 1,000 reasons for keeping them. Also deletes the
   * test cases and pins of workflows that were deleted before that time, and the pins of steps that were removed before
   * it, because they hold data of runs; and presence rows that are an hour old.
   */
  sweep(before: Date): Promise<void>
}

const SWEEP = statement<'before'>(
  'sweep_workflow_draft_changes',
  (p) => `delete from workflow_draft_changes where at < ${p.before}::timestamptz`,
)

/** A draft with this many rows has one that is as many revisions old, unless the whole draft was saved in between. */
const SWEEP_MANY = statement(
  'sweep_many_workflow_draft_changes',
  () => `
delete from workflow_draft_changes c using workflows w
where w.id = c.workflow_id and w.draft_revision > ${MOST_REVISIONS} and c.revision <= w.draft_revision - ${MOST_REVISIONS}`,
)

const SWEEP_DELETED = statement<'before'>(
  'sweep_test_cases_of_deleted_workflows',
  (p) => `
delete from workflow_test_cases c using workflows w
where w.id = c.workflow_id and w.organization_id = c.organization_id and w.deleted_at < ${p.before}::timestamptz`,
)

const SWEEP_SNAPSHOTS = statement<'before'>(
  'sweep_workflow_draft_snapshots',
  (p) => `delete from workflow_draft_snapshots where at < ${p.before}::timestamptz`,
)

/** The newest state is kept regardless of its size. */
const SWEEP_MANY_SNAPSHOTS = statement(
  'sweep_many_workflow_draft_snapshots',
  () => `
delete from workflow_draft_snapshots s using (
  select workflow_id, revision,
    row_number() over newest as place, sum(bytes) over newest as bytes
  from workflow_draft_snapshots window newest as (partition by workflow_id order by revision desc)
) one
where s.workflow_id = one.workflow_id and s.revision = one.revision
  and (one.place > ${MOST_SNAPSHOTS} or (one.place > 1 and one.bytes > ${MOST_SNAPSHOT_BYTES}))`,
)

/** A keep costs little, so one state may have many. */
const SWEEP_MANY_KEEPS = statement(
  'sweep_many_workflow_draft_keeps',
  () => `
delete from workflow_draft_keeps k using (
  select id, row_number() over (partition by workflow_id order by at desc, id desc) as place from workflow_draft_keeps
) one
where k.id = one.id and one.place > ${MOST_KEEPS}`,
)

const SWEEP_REMOVED_PINS = statement<'before'>(
  'sweep_pins_of_removed_steps',
  (p) => `delete from workflow_pins where removed_at < ${p.before}::timestamptz`,
)

const SWEEP_PINS = statement<'before'>(
  'sweep_pins_of_deleted_workflows',
  (p) => `
delete from workflow_pins c using workflows w
where w.id = c.workflow_id and w.organization_id = c.organization_id and w.deleted_at < ${p.before}::timestamptz`,
)

const SWEEP_PRESENCE = statement(
  'sweep_workflow_presence',
  () => `delete from workflow_presence where seen_at < now() - interval '1 hour'`,
)

export function draftChanges(client: SqlClient): DraftChanges {
  return {
    async sweep(before) {
      await client.query(...SWEEP({ before: before.toISOString() }))
      await client.query(...SWEEP_MANY({}))
      await client.query(...SWEEP_DELETED({ before: before.toISOString() }))
      await client.query(...SWEEP_SNAPSHOTS({ before: before.toISOString() }))
      await client.query(...SWEEP_MANY_SNAPSHOTS({}))
      await client.query(...SWEEP_MANY_KEEPS({}))
      await client.query(...SWEEP_PINS({ before: before.toISOString() }))
      await client.query(...SWEEP_PRESENCE({}))
      await client.query(...SWEEP_REMOVED_PINS({ before: before.toISOString() }))
    },
  }
}
