import type { VoiceSessionKey } from '../sessions/session.ts'

/** Voice minutes that calls in flight reserve from their budgets. The lease is a column of the call's row. */
export interface LeaseStore {
  /**
   * Extends the lease of an answered call that has less than a minute left, in one transaction under the lock of the
   * organization's voice minutes.
   *
   * @param grant the seconds to add, from what each budget of the call has left; 0 refuses
   * @returns when the lease ends, and whether the call may continue; null when the call is not active
   */
  extend(
    key: VoiceSessionKey,
    now: Date,
    grant: (remaining: number[]) => number,
  ): Promise<{ leaseUntil: Date; granted: boolean } | null>
}
