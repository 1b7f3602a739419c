import { type Static, Type } from 'typebox'
import { IsoTimestamp, Uuid } from '../schema/formats.ts'
import type { ProjectId, SkillId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'

/** The name of a skill, which is also its slug and the name of its folder. */
export const SKILL_NAME = /^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$/

/** Maximum files of a skill, and maximum text in them, in UTF-8 bytes. */
export const MAX_SKILL_FILES = 200
export const MAX_SKILL_BYTES = 2 * 1024 * 1024

/** A skill in API responses: its newest version. */
export const Skill = Type.Object({
  skillId: Uuid<SkillId>(),
  projectId: Nullable(Uuid<ProjectId>({ description: 'null: an organization-level skill.' })),
  slug: Type.String(),
  description: Type.String({ description: 'Its purpose and when to use it; models read it.' }),
  version: Type.Integer({ description: 'The number of uploads whose content differed.' }),
  allowedTools: Nullable(
    Type.Array(Type.String(), { description: 'The remaining tools after it is loaded; null: all.' }),
  ),
  files: Type.Array(
    Type.Object({
      path: Type.String(),
      sizeBytes: Type.Integer(),
      isText: Type.Boolean({ description: 'False: models cannot read it, and its content is not kept.' }),
    }),
  ),
  createdAt: IsoTimestamp(),
  updatedAt: IsoTimestamp(),
})
export type Skill = Static<typeof Skill>

export const SkillParams = Type.Object({ skillId: Uuid<SkillId>() })
