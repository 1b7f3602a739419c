import { BUILDER_OPERATIONS, PERSON_OPERATIONS } from '@troupe/builder-contract'
import type { Operation } from '@troupe/contract'

/** What a request needs to know of an operation. */
export interface OperationRow {
  method: Operation['method']
  path: string
  /** Media type of the body. */
  bodyType: string
  isStream: boolean
}

const ALL: Readonly<Record<string, Operation>> = { ...BUILDER_OPERATIONS, ...PERSON_OPERATIONS }

/**
 * Method and path of each operation by its id. The build replaces this module by its value, so that the schemas of the
 * contract are not in the first load.
 */
export const OPERATION_TABLE: Readonly<Record<string, OperationRow>> = Object.fromEntries(
  Object.entries(ALL).map(([id, { method, path, bodyType = 'application/json', success }]) => [
    id,
    { method, path, bodyType, isStream: success.type === 'text/event-stream' },
  ]),
)
