import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { type BuilderHandler, handler } from '@troupe/operations/handlers/handler'
import type { ImportParts } from '../foreign/import-foreign.ts'
import { MAX_FOREIGN_CHARACTERS } from '../foreign/parse-foreign.ts'
import { importWorkflowDraft } from './import-workflow.ts'
import {
  applyOrganizationBundle,
  exportOrganizationBundle,
  type OrganizationBundleParts,
  planOrganizationBundle,
} from './organization-bundle.ts'

/** The maximum text in JSON, where a character may take two. */
const options = { maxBodyBytes: 16 * 1024 * 1024 }

/** The maximum text of an export in JSON, where a character may take two. */
const withExport = { maxBodyBytes: 2 * MAX_FOREIGN_CHARACTERS + 1024 * 1024 }

/** Bundles of one organization and exports of other products, by its members. */
export function bundleHandlers(parts: OrganizationBundleParts & ImportParts): BuilderHandler[] {
  const op = BUILDER_OPERATIONS
  return [
    handler(op.exportOrganizationBundle, ({ caller, query }) =>
      exportOrganizationBundle(parts, caller, query),
    ),
    handler(
      op.planOrganizationBundle,
      ({ caller, body }) => planOrganizationBundle(parts, caller, body),
      options,
    ),
    handler(
      op.applyOrganizationBundle,
      ({ caller, body }) => applyOrganizationBundle(parts, caller, body),
      options,
    ),
    handler(
      op.importWorkflow,
      ({ caller, body }) => importWorkflowDraft(parts, caller, body.text),
      withExport,
    ),
  ]
}
