import { type Static, Type } from 'typebox'
import { Choice } from '../../schema/choice.ts'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import type { AnyVersionId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { OpenObject } from '../../schema/objects.ts'
import { Page } from '../../schema/page.ts'

/** The author of a change. */
export const ChangeAuthor = Type.Object({
  kind: Choice(['user', 'api_key', 'operator', 'system']),
  id: Nullable(Type.String()),
  name: Nullable(
    Type.String({
      description: 'null for the operator and the server, and for deleted accounts and keys.',
    }),
  ),
})
export type ChangeAuthor = Static<typeof ChangeAuthor>

const label = Nullable(Type.String({ maxLength: 100 }))
const note = Nullable(Type.String({ maxLength: 2_000 }))

/** A version in a list. */
export const Version = Type.Object({
  versionId: Uuid(),
  number: Nullable(Type.Integer({ description: 'null: a draft that was run in the playground.' })),
  label,
  note,
  createdBy: ChangeAuthor,
  createdAt: IsoTimestamp(),
  current: Type.Boolean({ description: 'Whether it is the version that callers run now.' }),
})
export type Version = Static<typeof Version>

/** A version with its content. */
export const VersionDetails = Type.Object({
  ...Version.properties,
  name: Type.String(),
  description: Nullable(Type.String()),
  config: OpenObject({ description: 'The full configuration, as of the version.' }),
  configSchemaVersion: Type.Integer(),
})
export type VersionDetails = Static<typeof VersionDetails>

/** A version in a list, with the outcomes of its runs. */
export const ListedVersion = Type.Object({
  ...Version.properties,
  runs: Type.Object(
    { ok: Type.Integer(), failed: Type.Integer({ description: 'Failed or timed out.' }) },
    { description: 'Of the newest 10,000 runs of callers over all versions.' },
  ),
})
export type ListedVersion = Static<typeof ListedVersion>
export const VersionPage = Page(ListedVersion)

/** The body that labels a version; an absent field is kept. */
export const DescribeConfigVersionBody = Type.Object({
  label: Type.Optional(label),
  note: Type.Optional(note),
})
export type DescribeConfigVersionBody = Static<typeof DescribeConfigVersionBody>

/** The version that a change is based on. */
export const baseVersionId = Type.Optional(
  Uuid<AnyVersionId>({
    description:
      'The version that the change was made from; another current version is `version_conflict`. Only the operator may leave it out: the last change wins.',
  }),
)

/** The body of a restore. */
export const RestoreBody = Type.Object({ baseVersionId })
