import type { Operation } from '@troupe/contract'
import { OPERATION_LINES } from './operation-table.ts'

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

/** Method and path of each operation by its id. */
export const OPERATION_TABLE: Readonly<Record<string, OperationRow>> = Object.fromEntries(
  OPERATION_LINES.split('\n').map((line) => {
    const [id = '', method, path = '', access, bodyType, stream, ...errors] = line.split(' ')
    const row = {
      ...{ method, access, errors, isStream: stream !== undefined },
      path: path.replace('~', '/api/builder/v1/organizations/{organizationId}'),
      bodyType: bodyType || 'application/json',
    }
    // The lines are made of typed operations.
    return [id, row as OperationRow]
  }),
)
