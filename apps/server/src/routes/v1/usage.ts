import { OPERATIONS } from '@troupe/contract'
import { getUsage } from '@troupe/operations/usage/get-usage'
import { registerOperation } from '../../http/operation.ts'
import type { App } from '../../http/server-types.ts'
import type { Context } from '../../wiring/context.ts'

export function registerUsage(app: App, { database, clock }: Pick<Context, 'database' | 'clock'>): void {
  registerOperation(app, OPERATIONS.getUsage, (call) =>
    getUsage(database.usage, call.principal, call.query, clock.now()),
  )
}
