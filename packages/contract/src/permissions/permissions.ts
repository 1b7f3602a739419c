/** A member's role in an organization, from all permissions to the fewest. */
export const MEMBER_ROLES = ['owner', 'admin', 'member', 'viewer', 'reviewer'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

/** A member's permissions in the builder: `decide` reviews, `read` everything but secrets, `build`, `manage`, `own`. */
export const PERMISSIONS = ['decide', 'read', 'build', 'manage', 'own'] as const
export type Permission = (typeof PERMISSIONS)[number]

/** The permissions of each role. The server, the access suite and the pages of the builder all read this table. */
export const ROLE_PERMISSIONS: Readonly<Record<MemberRole, readonly Permission[]>> = {
  reviewer: ['decide'],
  viewer: ['decide', 'read'],
  member: ['decide', 'read', 'build'],
  admin: ['decide', 'read', 'build', 'manage'],
  owner: ['decide', 'read', 'build', 'manage', 'own'],
}

/** Whether members with this role have the permission. */
export function roleHas(role: MemberRole, permission: Permission): boolean {
  return ROLE_PERMISSIONS[role].includes(permission)
}
