import type { CallStore } from '@troupe/voice'
import type { SqlDriver } from '../../sql/client/sql-client.ts'
import { callChanges } from './call-changes.ts'
import { openCalls } from './open-call.ts'
import { callPlans } from './plan.ts'
import { callTraffic } from './traffic.ts'

/** The rows of outbound calls. */
export function callRows(driver: SqlDriver): CallStore {
  return { ...callPlans(driver), ...callChanges(driver), ...openCalls(driver), ...callTraffic(driver) }
}
