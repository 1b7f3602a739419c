import { listRuns } from '@troupe/builder/runs/list-runs'
import { BUILDER_OPERATIONS } from '@troupe/builder-contract'
import { registerOperation } from '../../http/operation.ts'
import type { App } from '../../http/server-types.ts'
import type { Context } from '../../wiring/context.ts'

/** Runs of every kind. */
export function registerObservedRuns(app: App, { database }: Pick<Context, 'database'>): void {
  registerOperation(app, BUILDER_OPERATIONS.listRuns, ({ caller, query }) =>
    listRuns(database, caller, query),
  )
}
