import { Callout } from '../../atoms/states/panels.tsx'
import { wholeOrganizationNote } from '../../core/messages/en/parts/whole-organization.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

/** While a project is selected: the page still shows the whole organization. */
export function WholeOrganizationNote() {
  const { projectId } = usePlace()
  return projectId !== null && <Callout>{wholeOrganizationNote}</Callout>
}
