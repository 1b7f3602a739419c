import type { ListedRun } from '@troupe/contract/builder'
import { runWords } from '../messages/en/runs.ts'

/** The trigger of a run, with its caller if known: "API, job · Shop key". */
export function startedByText({ source, startedBy }: Pick<ListedRun, 'source' | 'startedBy'>): string {
  if (startedBy?.kind === 'run') return runWords.byTool(startedBy.name)
  return [runWords.sources[source], startedBy?.name].filter(Boolean).join(' · ')
}
