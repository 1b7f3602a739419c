import type { OrganizationId, PhoneTrunkId } from '@troupe/contract'
import type { PhoneTrunkRecord } from './trunk.ts'

/** Names a trunk; every statement on it names the organization too. */
export interface PhoneTrunkKey {
  organizationId: OrganizationId
  id: PhoneTrunkId
}

/** The state of trunks in the media server. */
export interface TrunkProvisioningStore {
  /** Trunks that wait to be provisioned, oldest change first, at most `limit`. */
  waiting(limit: number): Promise<PhoneTrunkRecord[]>
  /** The numbers of a trunk in E.164. */
  numbers(trunk: PhoneTrunkKey): Promise<string[]>
  /**
   * The media server has the trunk with this configuration. Returns the id there that is stored now: the given one, or
   * that of another process that was faster. null: the trunk was changed, disabled or deleted in the meantime.
   *
   * @param former the id in the media server that the new one replaces
   */
  provisioned(
    trunk: PhoneTrunkKey,
    change: { former: string | null; lkTrunkId: string; configHash: string; at: Date },
  ): Promise<string | null>
  /**
   * Why the trunk was not provisioned; `isFinal`: it is not tried again until it changes. Nothing is stored when another
   * process has provisioned it in the meantime.
   *
   * @param former the id in the media server when the attempt began
   */
  notProvisioned(
    trunk: PhoneTrunkKey,
    error: { former: string | null; message: string; isFinal: boolean; configHash: string },
  ): Promise<void>
}
