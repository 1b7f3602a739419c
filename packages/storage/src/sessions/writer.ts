import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { WriteContext } from '../tables/drizzle/write-context.ts'
import { runs } from '../tables/runs/runs.ts'
import { sessions } from '../tables/runs/sessions.ts'
import { usageRecords } from '../tables/runs/usage.ts'
import { eraseVoice, type NamedSession } from './erase-voice.ts'
import type { SessionWriter } from './port.ts'

export function sessionWriter({ db }: Pick<WriteContext, 'db'>): SessionWriter {
  return {
    async delete(organizationId, id) {
      const isIt = and(eq(sessions.organizationId, organizationId), eq(sessions.id, id))
      // Starts lock the session's row. The next statement sees the runs that were committed while this one waited.
      const { kind, entityId, sessionId } = sessions
      const [held] = await db.select({ kind, entityId, sessionId }).from(sessions).where(isIt).for('update')
      if (!held) return 'gone'
      // The ledger outlives runs, but provider messages, which may repeat texts, do not. Undone with `in_use`.
      await db
        .update(usageRecords)
        .set({ providerMessage: null })
        .where(
          and(
            isNotNull(usageRecords.providerMessage),
            inArray(
              usageRecords.runId,
              db.select({ id: runs.id }).from(runs).where(eq(runs.sessionRowId, id)),
            ),
          ),
        )
      const deleted = await db
        .delete(sessions)
        .where(
          and(
            isIt,
            // A node whose workflow is in flight would restart a deleted run.
            sql`not exists (
              select from runs r left join workflow_runs w on w.id = r.workflow_run_id
              where r.session_row_id = ${sessions.id} and (r.status in ('queued', 'running')
                or w.status in ('queued', 'running', 'paused', 'awaiting_approval')))`,
          ),
        )
        .returning({ id: sessions.id })
      if (deleted.length === 0) return 'in_use'
      // The caller's transaction is rolled back with `in_use`.
      return (await eraseVoice(db, { ...(held as NamedSession), organizationId })) ? 'deleted' : 'in_use'
    },
  }
}
