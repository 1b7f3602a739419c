import type { Scope } from '@troupe/agents/ports'

/** Who looks for a run: tests are found only as such, and other runs never as tests. */
export interface RunScope extends Scope {
  /** Absent: false. */
  isTest?: boolean
}
