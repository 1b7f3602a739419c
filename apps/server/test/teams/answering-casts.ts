import type { CoordinationMode } from '@troupe/contract'
import { broadcast, delegate, plan, review, route } from './lead-decisions.ts'
import type { Cast } from './team-setting.ts'

/** A cast that answers in every mode. */
export const CASTS: Record<CoordinationMode, Cast> = {
  handoff: { lead: [route('m2', 'Please.')], m2: 'B' },
  'dynamic-delegation': { lead: [delegate(['m1', 'Part.']), 'Written.'], m1: 'A' },
  parallel: { lead: [broadcast('All.'), 'Together.'], m1: 'A', m2: 'B', m3: 'C' },
  'plan-execute': {
    lead: [plan({ id: 't1', assignee: 'm1' }), review('complete', { evidence: ['t1'] }), 'Done.'],
    m1: 'A',
  },
}
