import type { VoiceSessionKey } from '../sessions/session.ts'
import { grantedSeconds } from './lease-grant.ts'
import type { LeaseStore } from './lease-store.ts'

/**
 * Asks for more minutes for a call; a lease with a minute or more left stays as it is.
 *
 * @returns when the lease ends, and whether the call may continue; null when the call is not active
 */
export function extendCallLease(
  { leases, billingUnitS, now }: { leases: LeaseStore; billingUnitS: number; now: () => number },
  key: VoiceSessionKey,
): Promise<{ leaseUntil: Date; granted: boolean } | null> {
  return leases.extend(key, new Date(now()), (remaining) => grantedSeconds(remaining, billingUnitS))
}
