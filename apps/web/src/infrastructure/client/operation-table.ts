import type { Operation } from '@troupe/contract'
import { BUILDER_OPERATIONS, PERSON_OPERATIONS } from '@troupe/contract/builder'

const ALL: Readonly<Record<string, Operation>> = { ...BUILDER_OPERATIONS, ...PERSON_OPERATIONS }

/** In the path of most operations. */
const ORGANIZATION_PATH = '/api/builder/v1/organizations/{organizationId}'

/**
 * A line for each operation: id, method, path, access, and if it is not JSON the media type of the body; for streams, `stream` and
 * the codes of errors besides those that every operation with this access can return. The build replaces this module by its value, so
 * that the schemas of the contract are not in the first load; as text it is smaller than as objects.
 */
export const OPERATION_LINES: string = Object.entries(ALL)
  .map(([id, { method, path, bodyType = '', success, access, errors }]) => {
    const stream = success.type === 'text/event-stream' ? ['stream', ...errors] : []
    const short = path.startsWith(ORGANIZATION_PATH) ? `~${path.slice(ORGANIZATION_PATH.length)}` : path
    return [id, method, short, access, bodyType, ...stream].join(' ').trimEnd()
  })
  .join('\n')
