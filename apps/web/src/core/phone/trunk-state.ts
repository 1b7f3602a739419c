import type { PhoneTrunk } from '@troupe/contract/builder'

/** The status of a trunk, in one word. */
export type TrunkState =
  | 'draft'
  | 'disabled'
  | 'failed'
  | 'provisioning'
  | 'active'
  | 'assumed'
  | 'inbound'
  | 'unprovisioned'
  | 'unserved'

/** The status of a trunk: a user's setting takes precedence over the state of the media server, if there is one. */
export function trunkState(
  trunk: Pick<PhoneTrunk, 'status' | 'direction' | 'provisioning' | 'isProvisioned'>,
  hasMediaServer: boolean,
): TrunkState {
  const { status, direction, provisioning, isProvisioned } = trunk
  if (status === 'draft' || status === 'disabled') return status
  if (direction === 'inbound') return 'inbound'
  if (!hasMediaServer) return 'unserved'
  if (status === 'failed') return 'failed'
  if (provisioning === 'never') return 'unprovisioned'
  if (!isProvisioned) return 'provisioning'
  return provisioning === 'assumed' ? 'assumed' : 'active'
}

/** Whether a trunk can be provisioned manually. */
export function isProvisionable(state: TrunkState): boolean {
  return state === 'failed' || state === 'provisioning' || state === 'active' || state === 'assumed'
}
