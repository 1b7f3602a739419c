import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'

/** Saves of one draft that are kept at most. */
const MOST_REVISIONS = 5_000

/** What each save changed in the drafts of workflows. */
export interface DraftChanges {
  /**
   * Deletes the changes that were saved before a time, all but the last 5,000 revisions of each draft, and the test cases of workflows
   * that were deleted before that time: they hold data of runs.
   */
  sweep(before: Date): Promise<void>
}

const SWEEP = statement<'before'>(
  'sweep_workflow_draft_changes',
  (p) => `delete from workflow_draft_changes where at < ${p.before}::timestamptz`,
)

/** A draft with so many rows has a row that many revisions before its newest one, unless whole drafts were saved in between. */
const SWEEP_MANY = {
  name: 'sweep_many_workflow_draft_changes',
  text: `
delete from workflow_draft_changes c using workflows w
where w.id = c.workflow_id and w.draft_revision > ${MOST_REVISIONS} and c.revision <= w.draft_revision - ${MOST_REVISIONS}`,
}

const SWEEP_DELETED = statement<'before'>(
  'sweep_test_cases_of_deleted_workflows',
  (p) => `
delete from workflow_test_cases c using workflows w
where w.id = c.workflow_id and w.organization_id = c.organization_id and w.deleted_at < ${p.before}::timestamptz`,
)

export function draftChanges(client: SqlClient): DraftChanges {
  return {
    async sweep(before) {
      await client.query(...SWEEP({ before: before.toISOString() }))
      await client.query(SWEEP_MANY, [])
      await client.query(...SWEEP_DELETED({ before: before.toISOString() }))
    },
  }
}
