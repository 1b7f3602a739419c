import { BUILDER_OPERATIONS } from '@troupe/builder-contract'
import { type BuilderHandler, handler } from '../handling/handler.ts'
import {
  applyOrganizationBundle,
  exportOrganizationBundle,
  type OrganizationBundleParts,
  planOrganizationBundle,
} from './organization-bundle.ts'

/** The longest text in JSON, where a character may need two. */
const options = { maxBodyBytes: 16 * 1024 * 1024 }

/** Bundles of one organization, by its members. */
export function bundleHandlers(parts: OrganizationBundleParts): BuilderHandler[] {
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
  ]
}
