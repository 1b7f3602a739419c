import type { Scope } from '@troupe/agents/ports'

/** The reader of a run: tests are found only as such, and other runs never as tests. */
export interface RunScope extends Scope {
  /** Absent: false. */
  isTest?: boolean
}
