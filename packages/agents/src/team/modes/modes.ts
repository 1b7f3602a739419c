import type { CoordinationMode } from '@troupe/contract'
import type { CoordinationModeWork } from '../members/team-run.ts'
import { dynamicDelegation } from './dynamic-delegation.ts'
import { handoff } from './handoff.ts'
import { parallel } from './parallel.ts'
import { planExecute } from './plan-execute.ts'

/** Every coordination mode by its id. */
export const MODES: Record<CoordinationMode, CoordinationModeWork> = {
  handoff,
  'dynamic-delegation': dynamicDelegation,
  parallel,
  'plan-execute': planExecute,
}
