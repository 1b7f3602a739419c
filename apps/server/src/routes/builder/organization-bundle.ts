import {
  applyOrganizationBundle,
  exportOrganizationBundle,
  planOrganizationBundle,
} from '@troupe/builder/bundles/organization-bundle'
import { BUILDER_OPERATIONS } from '@troupe/builder-contract'
import { applyPartsOf, type BundleContext } from '../../boot/bundle-context.ts'
import { registerOperation } from '../../http/operation.ts'
import type { App } from '../../http/server-types.ts'
import { MAX_BUNDLE_BYTES } from './bundles.ts'

/** A JSON string may need two characters for one of the text. */
const options = { maxBodyBytes: 2 * MAX_BUNDLE_BYTES }

/** Bundles of one organization, by its members. */
export function registerOrganizationBundle(app: App, context: BundleContext): void {
  const parts = applyPartsOf(context)
  const op = BUILDER_OPERATIONS
  registerOperation(app, op.exportOrganizationBundle, ({ caller, query }) =>
    exportOrganizationBundle(parts, caller, query),
  )
  registerOperation(
    app,
    op.planOrganizationBundle,
    ({ caller, body }) => planOrganizationBundle(parts, caller, body),
    options,
  )
  registerOperation(
    app,
    op.applyOrganizationBundle,
    ({ caller, body }) => applyOrganizationBundle(parts, caller, body),
    options,
  )
}
