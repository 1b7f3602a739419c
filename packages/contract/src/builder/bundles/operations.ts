import { type Static, Type } from 'typebox'
import { AppliedBundle, BundleWarnings } from '../../bundles/apply-bundle.ts'
import { bundleArchiveFields, bundleArchiveSuccess } from '../../bundles/bundle-archives.ts'
import { defineOperation } from '../../operation/operation.ts'
import { Choice } from '../../schema/choice.ts'
import { Nullable } from '../../schema/nullable.ts'
import { OpenObject, StringMap } from '../../schema/objects.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import { MAX_BUNDLE_SELECTION } from './max-bundle-selection.ts'

const path = `${ORGANIZATION_PATH}/bundle` as const
const common = {
  tag: 'Bundles',
  access: 'builder',
  needs: 'manage',
  params: Type.Object(organizationParams),
} as const

const exportOrganizationBundleForBuilder = defineOperation({
  ...common,
  id: 'exportOrganizationBundle',
  method: 'GET',
  path,
  summary: 'Export the organization, or some of it, as a bundle without secrets',
  query: Type.Object({
    include: Type.Optional(
      Type.String({
        maxLength: MAX_BUNDLE_SELECTION,
        description:
          'Only these, separated by commas: `agent:<id>`, `team:<id>`, `workflow:<id>`, `project:<id>`, `skill:<slug>`, …',
      }),
    ),
    dependencies: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether the resources that these refer to are also exported.',
      }),
    ),
  }),
  success: {
    status: 200,
    description: 'The bundle as YAML.',
    body: Type.String({ documentedBy: 'Bundle' }),
    type: 'application/yaml',
  },
  errors: ['validation_error'],
})

/** A bundle, and the values of its variables. */
export const GivenBundle = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 8_000_000, description: 'YAML or JSON.' }),
  variables: Type.Optional(
    StringMap({
      maxProperties: 1_000,
      description: 'By the name of the variable; the environment of the server is never read.',
    }),
  ),
  adopt: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether the bundle of another organization is applied to this one: its items are matched by slug and get new ids; its name, limits and members are omitted.',
    }),
  ),
})
export type GivenBundle = Static<typeof GivenBundle>

/** The fields beside an archive. */
export const GivenArchive = Type.Partial(GivenBundle, { additionalProperties: false })
export type GivenArchive = Static<typeof GivenArchive>

/** The changes that applying a bundle would make. */
export const BundlePreview = Type.Object({
  changes: Type.Array(
    Type.Object({
      kind: Type.String({ description: 'As in the audit log: `agent`, `llm_configuration`.' }),
      name: Type.String({ description: 'The slug, or another identifier in bundles.' }),
      action: Choice(['create', 'update']),
      before: Nullable(OpenObject()),
      after: OpenObject(),
    }),
    { description: 'In the order in which they would be written; empty while there are errors.' },
  ),
  errors: Type.Array(
    Type.Object({
      line: Nullable(Type.Integer({ description: '1 is the first; null: not in the text.' })),
      path: Type.String(),
      message: Type.String(),
      reason: Nullable(
        Choice(['other_organization'], {
          description: '`other_organization`: `adopt` applies the bundle to this organization.',
        }),
      ),
    }),
  ),
  warnings: BundleWarnings,
})
export type BundlePreview = Static<typeof BundlePreview>

const REACH =
  'A member changes their own organization: joining requires an invitation, people change their own names and passwords, and only owners change owners.'

const planOrganizationBundleForBuilder = defineOperation({
  ...common,
  id: 'planOrganizationBundle',
  method: 'POST',
  path: `${path}/plan`,
  summary: 'Preview the changes of applying a bundle',
  description: `Writes nothing. ${REACH}`,
  body: GivenBundle,
  success: { status: 200, description: 'Every change, or every error with its line.', body: BundlePreview },
  errors: ['validation_error'],
})

const applyOrganizationBundleForBuilder = defineOperation({
  ...common,
  id: 'applyOrganizationBundle',
  method: 'POST',
  path: `${path}/apply`,
  summary: 'Apply a bundle to the organization',
  description: `Nothing is applied unless all of it is valid. ${REACH}`,
  body: GivenBundle,
  success: { status: 200, description: 'What changed.', body: AppliedBundle },
  errors: ['validation_error'],
})

const exportOrganizationBundleArchiveForBuilder = defineOperation({
  ...exportOrganizationBundleForBuilder,
  id: 'exportOrganizationBundleArchive',
  path: `${path}/archive`,
  summary: 'Export the organization, or some of it, as a bundle with the files of documents and long skills',
  success: bundleArchiveSuccess,
})

const archiveBody = Type.Object(
  {
    bundle: Type.Optional(
      Type.String({
        contentMediaType: 'application/json',
        description:
          'Before the file: JSON with `variables`, `adopt`, and `text` instead of the `bundle.yaml` of the archive.',
      }),
    ),
    ...bundleArchiveFields,
  },
  { additionalProperties: false },
)

const planOrganizationBundleArchiveForBuilder = defineOperation({
  ...planOrganizationBundleForBuilder,
  id: 'planOrganizationBundleArchive',
  path: `${path}/archive/plan`,
  summary: 'Preview the changes of applying a bundle with its files',
  body: archiveBody,
  bodyType: 'multipart/form-data',
  success: {
    status: 200,
    description: 'Every change, or every error with its line.',
    body: Type.Object({
      ...BundlePreview.properties,
      text: Type.String({ description: 'The `bundle.yaml` of the archive.' }),
    }),
  },
})

const applyOrganizationBundleArchiveForBuilder = defineOperation({
  ...applyOrganizationBundleForBuilder,
  id: 'applyOrganizationBundleArchive',
  path: `${path}/archive/apply`,
  summary: 'Apply a bundle with its files to the organization',
  body: archiveBody,
  bodyType: 'multipart/form-data',
})

/** Bundles of one organization, by the ids of the operations. */
export const BUNDLE_OPERATIONS = {
  exportOrganizationBundle: exportOrganizationBundleForBuilder,
  planOrganizationBundle: planOrganizationBundleForBuilder,
  applyOrganizationBundle: applyOrganizationBundleForBuilder,
  exportOrganizationBundleArchive: exportOrganizationBundleArchiveForBuilder,
  planOrganizationBundleArchive: planOrganizationBundleArchiveForBuilder,
  applyOrganizationBundleArchive: applyOrganizationBundleArchiveForBuilder,
} as const
