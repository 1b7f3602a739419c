import type { BuilderOperationId } from '@troupe/builder-contract'
import type { BuilderRow } from './builder-row.ts'
import { BUILDER_WORKFLOW_ROWS } from './builder-workflow-rows.ts'

const organizationItself: BuilderRow = { own: () => ({ path: '' }) }

/** Every operation of the builder; a missing one does not compile. */
export const BUILDER_TABLE: Readonly<Record<BuilderOperationId, BuilderRow>> = {
  getOrganization: organizationItself,
  ...BUILDER_WORKFLOW_ROWS,
}
