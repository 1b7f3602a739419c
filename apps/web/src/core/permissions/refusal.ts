import { type MemberRole, type Permission, ROLE_PERMISSIONS, roleHas } from '@troupe/contract'

/** A member as far as a refusal names them. */
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

/** Why an action is refused and who may do it: "Needs admin: Ana, Max"; null for who has the permission. */
export function permissionRefusal(
  role: MemberRole,
  needs: Permission,
  members: readonly NamedMember[] = [],
): string | null {
  if (roleHas(role, needs)) return null
  const may = members.filter((member) => roleHas(member.role, needs)).map(({ name }) => name)
  const names = may.length > 3 ? [...may.slice(0, 3), `${may.length - 3} more`] : may
  const list = names.length === 0 ? '' : `: ${names.join(', ')}`
  return `Needs ${leastRoleWith(needs)}${list}`
}

function isRole(role: string): role is MemberRole {
  return Object.hasOwn(ROLE_PERMISSIONS, role)
}
