import type { VoiceSessionKey } from '../sessions/session.ts'
import { grantedSeconds } from './lease-grant.ts'
import type { LeaseStore } from './lease-store.ts'

/**
 * Requests more minutes for a call; a lease with at least a minute left is unchanged.
 *
 * @returns when the lease ends, and whether the call may continue; null when the call is not active
 */
export function extendCallLease(
  { leases, billingUnitS, now }: { leases: LeaseStore; billingUnitS: number; now: () => number },
  key: VoiceSessionKey,
): Promise<{ leaseUntil: Date; granted: boolean } | null> {
  return leases.extend(key, new Date(now()), (remaining) => grantedSeconds(remaining, billingUnitS))
}
