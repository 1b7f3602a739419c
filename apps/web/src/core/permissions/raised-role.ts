import { type MemberRole, roleHas } from '@troupe/contract'

/**
 * Whether a new role adds the right to change members or to remove owners, which a single press of a menu must
 * not do.
 */
export function isRaised(from: MemberRole, to: MemberRole): boolean {
  return (['manage', 'own'] as const).some((right) => roleHas(to, right) && !roleHas(from, right))
}
