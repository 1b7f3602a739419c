import { Callout } from '../../atoms/states/panels.tsx'
import { wholeOrganizationNote } from '../../core/messages/en/parts/whole-organization.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

/** While a project is chosen: what the page shows is of the whole organization all the same. */
export function WholeOrganizationNote() {
  const { projectId } = usePlace()
  return projectId !== null && <Callout>{wholeOrganizationNote}</Callout>
}
