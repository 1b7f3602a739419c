import { serverNow } from '../../core/format/server-clock.ts'
import { isChanging } from '../../core/runs/run-state.ts'
import { useRefreshOn } from '../../infrastructure/events/use-changes.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'

/** No event tells of a step of an agent; those of a workflow are told. */
const WATCH_AGENT_MS = 1_000
const WATCH_WORKFLOW_MS = 5_000

/** A run, asked again while it changes. null: nothing is asked for. */
export function useWatchedRun(runId: string | null) {
  const input = { params: { runId: runId ?? '' } }
  const isEnabled = runId !== null
  const first = useOperation('getRun', input, { isEnabled })
  const isOpen = isEnabled && first.data !== undefined && isChanging(first.data, serverNow())
  const isWorkflow = first.data?.kind === 'workflow'
  useRefreshOn(isWorkflow && isOpen ? [`workflow-run:${runId}`] : ['runs'], isOpen ? ['getRun'] : [])
  const everyMs = isWorkflow ? WATCH_WORKFLOW_MS : WATCH_AGENT_MS
  return useOperation('getRun', input, { isEnabled, ...(isOpen ? { everyMs } : {}) })
}
