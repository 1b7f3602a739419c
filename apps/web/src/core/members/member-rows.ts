import type { MemberRole } from '@troupe/contract'
import type { Member } from '@troupe/contract/builder'

/** The members with a role whose name or address contains a text. */
export function memberRows(
  members: readonly Member[],
  { q, role }: { q: string; role: MemberRole | 'any' },
): readonly Member[] {
  const needle = q.trim().toLocaleLowerCase()
  return members.filter(
    ({ name, email, role: of }) =>
      (role === 'any' || of === role) && `${name}\n${email ?? ''}`.toLocaleLowerCase().includes(needle),
  )
}
