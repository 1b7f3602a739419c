import { OPERATIONS } from '@troupe/contract'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { getUsage } from '@troupe/operations/usage/get-usage'
import type { Context } from '../../wiring/context.ts'

export function registerUsage(app: App, { database, clock }: Pick<Context, 'database' | 'clock'>): void {
  registerOperation(app, OPERATIONS.getUsage, (call) =>
    getUsage(database.usage, call.principal, call.query, clock.now()),
  )
}
