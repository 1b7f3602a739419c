import type { PhoneTrunk } from '@troupe/builder-contract'
import { type State, Status } from '../../atoms/states/badge.tsx'
import { phoneWords } from '../../core/messages/en/voice/phone.ts'
import { type TrunkState, trunkState } from '../../core/phone/trunk-state.ts'

const SHAPES: Readonly<Record<TrunkState, State>> = {
  draft: 'queued',
  disabled: 'paused',
  failed: 'failed',
  provisioning: 'running',
  active: 'completed',
  assumed: 'completed',
  inbound: 'cancelled',
  unprovisioned: 'cancelled',
}

/** Whether calls can be placed through a trunk. */
export function TrunkBadge({ trunk, look = 'plain' }: { trunk: PhoneTrunk; look?: 'badge' | 'plain' }) {
  const state = trunkState(trunk)
  return (
    <Status state={SHAPES[state]} look={look}>
      {phoneWords.trunks.states[state]}
    </Status>
  )
}
