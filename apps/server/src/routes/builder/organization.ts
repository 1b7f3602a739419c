import { getOrganization } from '@troupe/builder/organization/get-organization'
import { BUILDER_OPERATIONS } from '@troupe/builder-contract'
import { registerOperation } from '../../http/operation.ts'
import type { App } from '../../http/server-types.ts'
import type { Context } from '../../wiring/context.ts'

/** The organization itself. */
export function registerOrganization(app: App, { database }: Pick<Context, 'database'>): void {
  registerOperation(app, BUILDER_OPERATIONS.getOrganization, ({ caller }) =>
    getOrganization(database.read, caller),
  )
}
