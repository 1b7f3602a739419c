import type { RunParams } from '../../../core/runs/run-filter.ts'

/** The filters of the list of runs, as in the URL. */
export interface RunsFiltersProps {
  params: RunParams
  onChange(change: Partial<RunParams>): void
}
