import type { IdText, WorkflowRunId } from '@troupe/contract'
import { serverNow } from '../../core/format/server-clock.ts'
import { isChanging } from '../../core/runs/run-state.ts'
import { useRefreshOn } from '../../infrastructure/events/use-changes.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'

/** Steps of an agent have no events; those of a workflow do. */
const WATCH_AGENT_MS = 1_000
const WATCH_WORKFLOW_MS = 5_000

/** A run, polled while it changes. null: nothing is fetched. */
export function useWatchedRun(runId: IdText<WorkflowRunId> | null) {
  const input = { params: { runId: runId ?? '' } }
  const isEnabled = runId !== null
  const first = useOperation('getRun', input, { isEnabled })
  const isOpen = isEnabled && first.data !== undefined && isChanging(first.data, serverNow())
  const isWorkflow = first.data?.kind === 'workflow'
  useRefreshOn(isWorkflow && isOpen ? [`workflow-run:${runId}`] : ['runs'], isOpen ? ['getRun'] : [])
  const everyMs = isWorkflow ? WATCH_WORKFLOW_MS : WATCH_AGENT_MS
  return useOperation('getRun', input, { isEnabled, ...(isOpen ? { everyMs } : {}) })
}
