import type { PhoneTrunk } from '@troupe/contract/builder'
import { type State, Status } from '../../atoms/states/badge.tsx'
import { phoneWords } from '../../core/messages/en/voice/phone.ts'
import { type TrunkState, trunkState } from '../../core/phone/trunk-state.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

const SHAPES: Readonly<Record<TrunkState, State>> = {
  draft: 'queued',
  disabled: 'paused',
  failed: 'failed',
  provisioning: 'running',
  active: 'completed',
  assumed: 'completed',
  inbound: 'cancelled',
  unprovisioned: 'cancelled',
  unserved: 'paused',
}

/** Whether calls can be placed through a trunk. */
export function TrunkBadge({ trunk, look = 'plain' }: { trunk: PhoneTrunk; look?: 'badge' | 'plain' }) {
  const { session } = usePlace()
  const state = trunkState(trunk, session.server.voice)
  return (
    <Status state={SHAPES[state]} look={look}>
      {phoneWords.trunks.states[state]}
    </Status>
  )
}
