import type { PhoneTrunk } from '@troupe/contract/builder'

/** What a trunk is ready for, as one word can say it. */
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

/** The state of a trunk: what a person set comes before what the media server did, if there is one. */
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

/** Whether the media server can be told about a trunk by hand. */
export function isProvisionable(state: TrunkState): boolean {
  return state === 'failed' || state === 'provisioning' || state === 'active' || state === 'assumed'
}
