import { type Static, Type } from 'typebox'
import { KnowledgeDocument } from '../../knowledge/knowledge-base.ts'
import { defineOperation } from '../../operation/operation.ts'
import { OPERATIONS } from '../../operations.ts'
import { Choice } from '../../schema/choice.ts'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import type { KnowledgeBaseId, KnowledgeDocumentId, ProjectId, SkillId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { Page, pageQuery } from '../../schema/page.ts'
import { Skill } from '../../skills/skill.ts'
import { forBuilder } from '../operation/for-builder.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'

const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'
const q = Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name.' }))
const nameOrId = Type.Optional(
  Type.String({ maxLength: 200, description: 'Part of the name, or the start of the id.' }),
)
const inOneProject = {
  projectId: Type.Optional(Uuid<ProjectId>({ description: 'Only those of this project.' })),
}

/** Knowledge bases, including by name and project. */
export const listKnowledgeBasesForBuilder = forBuilder(
  { ...OPERATIONS.listKnowledgeBases, query: Type.Object({ ...pageQuery, q: nameOrId, ...inOneProject }) },
  'read',
)

/** Skills, including by name and project. */
export const listSkillsForBuilder = forBuilder(
  { ...OPERATIONS.listSkills, query: Type.Object({ ...pageQuery, q: nameOrId, ...inOneProject }) },
  'read',
)

const { body: uploadBody, errors: uploadErrors } = OPERATIONS.uploadSkill

const skillBase = {
  skillId: Type.Optional(
    Uuid<SkillId>({
      description:
        'The skill whose next version it is: files with another name are refused. Absent: the skill named in the files.',
    }),
  ),
  baseVersion: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description:
        'The newest version of the skill that the files were made from; another newest one is `version_conflict`. Absent: nothing is checked.',
    }),
  ),
  mustBeNew: Type.Optional(
    Type.Boolean({
      description:
        'Refuses a name that another skill of the project already has, with `slug_taken` and the skill in `current`. Content that its newest version has is answered with 200.',
    }),
  ),
}

/** The upload of an archive has no JSON body, so its query has the fields of the body for an upload of files. */
export const uploadSkillForBuilder = forBuilder(
  {
    ...OPERATIONS.uploadSkill,
    body: Type.Object(
      {
        ...uploadBody.properties,
        ...skillBase,
      },
      { additionalProperties: false },
    ),
    errors: [...uploadErrors, 'skill_not_found', 'version_conflict', 'slug_taken'],
    query: Type.Object({
      projectId: Type.Optional(Uuid<ProjectId>({ description: 'The project of an archive.' })),
      ...skillBase,
    }),
  },
  'build',
)

/** Documents, including by name and status. */
export const listKnowledgeDocumentsForBuilder = forBuilder(
  {
    ...OPERATIONS.listKnowledgeDocuments,
    query: Type.Object({
      ...pageQuery,
      q,
      status: Type.Optional(Choice(['queued', 'ready', 'failed'])),
    }),
  },
  'read',
)

/** Reads a document again. */
export const rereadKnowledgeDocumentForBuilder = defineOperation({
  id: 'rereadKnowledgeDocument',
  method: 'POST',
  path: `${ORGANIZATION_PATH}/knowledge-bases/{knowledgeBaseId}/documents/{documentId}/reread`,
  tag: 'Knowledge',
  summary: 'Read a document again',
  description:
    'After a failure, or because a page at its URL has changed. Searches find the old content until then.',
  access: 'builder',
  needs: 'build',
  params: Type.Object({
    ...organizationParams,
    knowledgeBaseId: Uuid<KnowledgeBaseId>(),
    documentId: Uuid<KnowledgeDocumentId>(),
  }),
  success: { status: 202, description: 'The document is queued.', body: KnowledgeDocument },
  errors: ['knowledge_base_not_found', 'document_not_found'],
})

/** A version of a skill, without the texts of its files. */
export const ShownSkillVersion = Type.Object({
  version: Type.Integer(),
  description: Type.String(),
  allowedTools: Nullable(Type.Array(Type.String())),
  files: Skill.properties.files,
  createdAt: IsoTimestamp(),
})
export type ShownSkillVersion = Static<typeof ShownSkillVersion>

const skillParams = { ...organizationParams, skillId: Uuid<SkillId>() }

/** The versions of a skill. */
export const listSkillVersionsForBuilder = defineOperation({
  id: 'listSkillVersions',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/skills/{skillId}/versions`,
  tag: 'Skills',
  summary: 'List the versions of a skill',
  access: 'builder',
  needs: 'read',
  params: Type.Object(skillParams),
  query: Type.Object(pageQuery),
  success: { status: 200, description: 'One page of versions, newest first.', body: Page(ShownSkillVersion) },
  errors: ['validation_error', 'skill_not_found'],
})

/** The text of a skill's file. */
export const getSkillFileForBuilder = defineOperation({
  id: 'getSkillFile',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/skills/{skillId}/file`,
  tag: 'Skills',
  summary: 'Read a file of a skill',
  access: 'builder',
  needs: 'read',
  params: Type.Object(skillParams),
  query: Type.Object({
    path: Type.String({ minLength: 1, maxLength: 1_024, description: '`SKILL.md`' }),
    version: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The newest when absent.' }),
    ),
  }),
  success: {
    status: 200,
    description: 'The file.',
    body: Type.Object({
      path: Type.String(),
      version: Type.Integer(),
      text: Nullable(Type.String({ description: 'null: it is not text, and its content is not kept.' })),
    }),
  },
  errors: ['validation_error', 'skill_not_found', 'version_not_found'],
})

/** A user of a knowledge base or a skill. */
export const ResourceUser = Type.Object({
  of: Uuid({ description: 'The knowledge base or the skill.' }),
  kind: Choice(['agent', 'team', 'workflow']),
  id: Uuid(),
  name: Type.String(),
})
export type ResourceUser = Static<typeof ResourceUser>

/** The users of knowledge bases or skills. */
export const listUsersOfResources = defineOperation({
  id: 'listResourceUsers',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/resource-users`,
  tag: 'Search',
  summary: 'List the users of knowledge bases or skills',
  access: 'builder',
  needs: 'read',
  params: Type.Object(organizationParams),
  query: Type.Object({
    kind: Choice(['knowledge_base', 'skill']),
    ids: Type.String({
      maxLength: 4_000,
      pattern: `^${UUID}(?:,${UUID}){0,99}$`,
      patternMessage: 'must be a list, separated by commas, of at most 100 ids',
      description: 'Their ids, separated by commas.',
    }),
  }),
  success: {
    status: 200,
    description: 'At most 1,000, by kind and name.',
    body: Type.Object({ data: Type.Array(ResourceUser) }),
  },
  errors: ['validation_error'],
})
