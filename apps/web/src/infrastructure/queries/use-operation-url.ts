import { OPERATION_TABLE } from '../client/operation-rows.ts'
import type { AnyInput, OperationName } from '../client/operation-types.ts'
import { requestUrl } from '../client/request-url.ts'
import { useOrganizationId } from '../sign-in/organization-id.ts'

/** The addresses of GET operations of this organization, for links such as downloads. */
export function useOperationUrl(): (name: OperationName, input: AnyInput) => string {
  const organizationId = useOrganizationId()
  return (name, input) => {
    const row = OPERATION_TABLE[name]
    if (!row) throw new TypeError(`no operation is called ${name}`)
    return requestUrl(row.path, organizationId, input)
  }
}
