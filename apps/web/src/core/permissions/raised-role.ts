import { type MemberRole, roleHas } from '@troupe/contract'

/** Whether a new role gives the right to change members, or to remove owners: one press of a menu must not. */
export function isRaised(from: MemberRole, to: MemberRole): boolean {
  return (['manage', 'own'] as const).some((right) => roleHas(to, right) && !roleHas(from, right))
}
