import { type Static, Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { Uuid } from '../schema/formats.ts'
import { Nullable } from '../schema/nullable.ts'

const Counts = Type.Object({ created: Type.Integer(), updated: Type.Integer(), unchanged: Type.Integer() })

/** Maximum warnings in one response. */
export const MAX_BUNDLE_WARNINGS = 200

/** Settings of a bundle that do not work as written, in a successful response. Absent: none. */
export const BundleWarnings = Type.Optional(
  Type.Array(
    Type.Object({
      line: Nullable(Type.Integer({ description: '1 is the first; null: not in the text.' })),
      path: Type.String(),
      message: Type.String(),
    }),
    {
      maxItems: MAX_BUNDLE_WARNINGS,
      description:
        'Of new and changed agents: unavailable operations of documents, and keywords of schemas that are interpreted differently. Absent: nothing.',
    },
  ),
)
export type BundleWarnings = NonNullable<Static<typeof BundleWarnings>>

/** The changes of applying a bundle, for each organization. */
export const AppliedBundle = Type.Object({
  organizations: Type.Array(
    Type.Object({
      slug: Type.String(),
      id: Uuid(),
      projects: Counts,
      members: Counts,
      apiKeys: Counts,
      llmConfigurations: Counts,
      credentials: Counts,
      knowledgeBases: Counts,
      skills: Counts,
      documents: Counts,
      mcpServers: Counts,
      agents: Counts,
      voiceConfigurations: Counts,
      trunks: Counts,
      phoneNumbers: Counts,
      teams: Counts,
      workflows: Counts,
      budgets: Counts,
      mintedKeys: Type.Array(Type.Object({ name: Type.String(), secret: Type.String() }), {
        description: 'Secrets of newly minted keys. Shown only here.',
      }),
      mintedPasswords: Type.Array(Type.Object({ email: Type.String(), password: Type.String() }), {
        description: 'Generated passwords of new users without one in the bundle. Shown only here.',
      }),
    }),
  ),
  warnings: BundleWarnings,
})
export type AppliedBundle = Static<typeof AppliedBundle>

export const applyBundleOperation = defineOperation({
  id: 'applyBundle',
  method: 'POST',
  path: '/api/builder/bundles',
  tag: 'Operator',
  summary: 'Apply a bundle',
  description: 'YAML (or JSON). Nothing is applied unless all of it is valid.',
  access: 'operator',
  // Read from the text, with line numbers.
  body: Type.String({ documentedBy: 'Bundle' }),
  bodyType: 'application/yaml',
  success: { status: 200, description: 'What changed.', body: AppliedBundle },
  errors: ['validation_error'],
})
