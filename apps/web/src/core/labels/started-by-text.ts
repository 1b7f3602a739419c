import type { ListedRun } from '@troupe/contract/builder'
import { runWords } from '../messages/en/runs.ts'

/** How a run was started, and by whom where that is known: "API, job · Shop key". */
export function startedByText({ source, startedBy }: Pick<ListedRun, 'source' | 'startedBy'>): string {
  if (startedBy?.kind === 'run') return runWords.byTool(startedBy.name)
  return [runWords.sources[source], startedBy?.name].filter(Boolean).join(' · ')
}
