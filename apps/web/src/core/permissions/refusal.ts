import { type MemberRole, type Permission, ROLE_PERMISSIONS, roleHas } from '@troupe/contract'
import { refusalWords } from '../messages/en/parts/refusal.ts'

/** The properties of a member that a refusal names. */
export interface NamedMember {
  name: string
  role: MemberRole
}

/** The role with the fewest permissions that has this one. */
export function leastRoleWith(permission: Permission): MemberRole {
  const roles = Object.keys(ROLE_PERMISSIONS).filter((role) => isRole(role) && roleHas(role, permission))
  const fewest = roles
    .filter(isRole)
    .sort((a, b) => ROLE_PERMISSIONS[a].length - ROLE_PERMISSIONS[b].length)[0]
  return fewest ?? 'owner'
}

/**
 * The reason why an action is refused and whom to ask, in whole sentences: "Only admins and owners can do this. Ask Ana or Max.";
 * null with the permission.
 */
export function permissionRefusal(
  role: MemberRole,
  needs: Permission,
  members: readonly NamedMember[] = [],
): string | null {
  if (roleHas(role, needs)) return null
  const may = members.filter((member) => roleHas(member.role, needs)).map(({ name }) => name)
  const names = may.length > 3 ? [...may.slice(0, 3), refusalWords.others(may.length - 3)] : may
  return refusalWords.needs(leastRoleWith(needs), names)
}

function isRole(role: string): role is MemberRole {
  return Object.hasOwn(ROLE_PERMISSIONS, role)
}
