import { OPERATIONS } from '@troupe/contract'
import { getOrganizationLimits } from '@troupe/operations/organizations/get-organization-limits'
import { registerOperation } from '../../http/operation.ts'
import type { App } from '../../http/server-types.ts'

export function registerOrganizations(app: App): void {
  registerOperation(app, OPERATIONS.getOrganizationLimits, async (call) =>
    getOrganizationLimits(call.principal),
  )
}
