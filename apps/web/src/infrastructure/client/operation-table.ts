import type { Operation } from '@troupe/contract'
import { BUILDER_OPERATIONS, PERSON_OPERATIONS } from '@troupe/contract/builder'

/** The data of an operation needed for a request. */
export interface OperationRow {
  method: Operation['method']
  path: `/api/${string}`
  /** Media type of the body. */
  bodyType: string
  isStream: boolean
  access: Operation['access']
  /** Codes besides those that every operation with this access can return; only for streams, whose reader needs them. */
  errors: Operation['errors']
}

const ALL: Readonly<Record<string, Operation>> = { ...BUILDER_OPERATIONS, ...PERSON_OPERATIONS }

/**
 * Method and path of each operation by its id. The build replaces this module by its value, so that the schemas of the
 * contract are not in the first load.
 */
export const OPERATION_TABLE: Readonly<Record<string, OperationRow>> = Object.fromEntries(
  Object.entries(ALL).map(([id, operation]) => {
    const { method, path, bodyType = 'application/json', success, access } = operation
    const isStream = success.type === 'text/event-stream'
    return [id, { method, path, bodyType, isStream, access, errors: isStream ? operation.errors : [] }]
  }),
)
