import { type IdText, type MemberRole, type Permission, type ProjectId, roleHas } from '@troupe/contract'
import type { BuilderSession } from '@troupe/contract/builder'
import { createContext, useContext } from 'react'
import { type OrganizationPaths, organizationPaths } from '../../core/url/paths.ts'

/** The organization that a page belongs to, as the signed-in user sees it. */
export type OwnMembership = BuilderSession['organizations'][number]

/** The signed-in user, and the organization of the page. */
export interface PagePlace {
  session: BuilderSession
  membership: OwnMembership
  role: MemberRole
  /** The project that narrows every page; null: all of them. */
  projectId: IdText<ProjectId> | null
  paths: OrganizationPaths
  may(permission: Permission): boolean
}

/** The signed-in user; null outside the session gate. */
export const SignedInContext = createContext<BuilderSession | null>(null)

/** For components below the session gate. Throws elsewhere. */
export function useSignedIn(): BuilderSession {
  const session = useContext(SignedInContext)
  if (session === null) throw new Error('This component belongs below the session gate.')
  return session
}

export const PlaceContext = createContext<PagePlace | null>(null)

/** For pages below an organization. Throws elsewhere. */
export function usePlace(): PagePlace {
  const place = useContext(PlaceContext)
  if (place === null) throw new Error('This component belongs below an organization.')
  return place
}

export function placeOf(
  session: BuilderSession,
  membership: OwnMembership,
  projectId: IdText<ProjectId> | null,
): PagePlace {
  const { role, slug } = membership
  return {
    session,
    membership,
    role,
    projectId,
    paths: organizationPaths(slug, projectId),
    may: (permission) => roleHas(role, permission),
  }
}
