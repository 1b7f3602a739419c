import type { RunParams } from '../../../core/runs/run-filter.ts'

/** The filters of the list of runs, as the address has them. */
export interface RunsFiltersProps {
  params: RunParams
  onChange(change: Partial<RunParams>): void
}
