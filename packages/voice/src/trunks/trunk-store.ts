import type { OrganizationId, PhoneTrunkId } from '@troupe/contract'
import type { PhoneTrunkRecord } from './trunk.ts'

/** Names a trunk; every statement on it names the organization too. */
export interface PhoneTrunkKey {
  organizationId: OrganizationId
  id: PhoneTrunkId
}

/** What the media server knows of trunks. */
export interface TrunkProvisioningStore {
  /** Trunks that wait to be provisioned, oldest change first, at most `limit`. */
  waiting(limit: number): Promise<PhoneTrunkRecord[]>
  /** The numbers of a trunk in E.164. */
  numbers(trunk: PhoneTrunkKey): Promise<string[]>
  /**
   * The media server has the trunk with this configuration. False: it was changed or disabled meanwhile, or another
   * process was faster.
   *
   * @param former the id in the media server that the new one replaces
   */
  provisioned(
    trunk: PhoneTrunkKey,
    change: { former: string | null; lkTrunkId: string; configHash: string; at: Date },
  ): Promise<boolean>
  /** Why the trunk was not provisioned; `isFinal`: it is not tried again until it changes. */
  notProvisioned(
    trunk: PhoneTrunkKey,
    error: { message: string; isFinal: boolean; configHash: string },
  ): Promise<void>
}
