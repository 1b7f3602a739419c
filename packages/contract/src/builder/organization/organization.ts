import { type Static, Type } from 'typebox'
import { Slug } from '../../bundles/bundle-fields.ts'
import { Uuid } from '../../schema/formats.ts'
import type { OrganizationId } from '../../schema/ids.ts'
import { ShownName, StoredName } from '../../schema/shown-name.ts'

const days = Type.Integer({ minimum: 1, maximum: 3_650 })

/** The limits of an organization. */
const limits = {
  rpm: Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Requests per minute.' }),
  concurrentRuns: Type.Integer({
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'Concurrent workflow runs.',
  }),
  traceDays: { ...days, description: 'Retention of inputs and outputs of nodes, in days.' },
  runDays: {
    ...days,
    description: 'Retention of workflow runs, and of transcripts of voice sessions and calls, in days.',
  },
}

/** The name of an organization, a project or another setting. */
export const SettingName = ShownName

/** The version that a change is based on. */
export const baseVersion = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description:
      'The version that the change was made from. Required, but for the operator: the last write wins.',
  }),
)

/** An organization with its limits. */
export const Organization = Type.Object({
  organizationId: Uuid<OrganizationId>(),
  slug: Type.String(),
  name: Type.String(),
  limits: Type.Object(limits),
  version: Type.Integer({ description: 'Increases with every change.' }),
  inFlight: Type.Integer({
    description: 'Workflow runs that have not ended, to compare with `concurrentRuns`.',
  }),
})
export type Organization = Static<typeof Organization>

/** The fields to change. */
export const UpdateOrganizationBody = Type.Object(
  {
    // The operation refuses a blank name unless it is the stored one.
    name: Type.Optional(StoredName),
    slug: Type.Optional(Slug),
    limits: Type.Optional(Type.Partial(Type.Object(limits, { additionalProperties: false }))),
    version: baseVersion,
  },
  { additionalProperties: false },
)
export type UpdateOrganizationBody = Static<typeof UpdateOrganizationBody>
