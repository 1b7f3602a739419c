import type { IdText, WorkflowId } from '@troupe/contract'
import { TextLink } from '../../../atoms/controls/text-link.tsx'
import { serverNow } from '../../../core/format/server-clock.ts'
import { relativeTime } from '../../../core/format/times.ts'
import { runWords } from '../../../core/messages/en/runs.ts'
import { lastTestWords as words } from '../../../core/messages/en/workflows/last-test.ts'
import { isEnded } from '../../../core/runs/run-state.ts'
import { withSearch } from '../../../core/url/paths.ts'
import { useRefreshOn } from '../../../infrastructure/events/use-changes.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { SaveAsCase } from '../test-cases/save-as-case.tsx'
import styles from './last-test.module.css'

/** The last test of a draft, below the list of its steps; nothing when there is none. */
export function LastTestOfList({ workflowId }: { workflowId: IdText<WorkflowId> }) {
  const { paths } = usePlace()
  const listed = useOperation('listRuns', {
    query: { kind: 'workflow', entityId: workflowId, test: true, limit: 1 },
  })
  const test = listed.data?.data[0]
  useRefreshOn(test && !isEnded(test.status) ? ['runs'] : [], ['listRuns'])
  if (!test) return null
  return (
    <div className={styles.line}>
      <span>
        {words.lastTest(relativeTime(test.createdAt, serverNow()), runWords.statuses[test.status])}{' '}
        <TextLink href={withSearch(paths.workflow(workflowId), { view: 'map', run: test.runId })}>
          {words.openRun}
        </TextLink>
      </span>
      <SaveAsCase workflowId={workflowId} run={test} />
    </div>
  )
}
