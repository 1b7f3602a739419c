import type { MemberRole } from '@troupe/contract'

const LISTED = new Intl.ListFormat('en', { type: 'disjunction' })

const OTHERS: Readonly<Record<MemberRole, string>> = {
  owner: 'Only owners can do this.',
  admin: 'Only admins and owners can do this.',
  member: 'Only members, admins and owners can do this.',
  viewer: 'Reviewers cannot do this.',
  reviewer: 'You cannot do this.',
}

/** Texts about permissions that the user's role lacks. */
export const refusalWords = {
  /** `role`: the lowest one that may. `names`: of users who may; more of them are counted. */
  needs: (role: MemberRole, names: readonly string[]) =>
    names.length === 0 ? OTHERS[role] : `${OTHERS[role]} Ask ${LISTED.format(names)}.`,
  others: (count: number) => (count === 1 ? '1 other person' : `${count} other people`),
} as const
