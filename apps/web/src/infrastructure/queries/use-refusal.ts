import type { Permission } from '@troupe/contract'
import { permissionRefusal } from '../../core/permissions/refusal.ts'
import { usePlace } from '../sign-in/session.ts'
import { useOperation } from './use-operation.ts'

/**
 * The reason why the user may not do something, and whom to ask: "Only admins and owners can do this. Ask Ana or Max."; null:
 * allowed.
 */
export function useRefusal(needs: Permission): string | null {
  const { role, may } = usePlace()
  const people = useOperation('listMembers', {}, { isEnabled: !may(needs) && may('read') })
  const active = people.data?.members.filter(({ status }) => status === 'active')
  return permissionRefusal(role, needs, active)
}
