import { OPERATIONS } from '@troupe/contract'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { getOrganizationLimits } from '@troupe/operations/organizations/get-organization-limits'

export function registerOrganizations(app: App): void {
  registerOperation(app, OPERATIONS.getOrganizationLimits, async (call) =>
    getOrganizationLimits(call.principal),
  )
}
