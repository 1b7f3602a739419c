import { OPERATIONS } from '@troupe/contract'
import { registerOperation } from '../../http/operation.ts'
import type { App } from '../../http/server-types.ts'
import { getOrganizationLimits } from '../../operations/organizations/get-organization-limits.ts'

export function registerOrganizations(app: App): void {
  registerOperation(app, OPERATIONS.getOrganizationLimits, async (call) =>
    getOrganizationLimits(call.principal),
  )
}
