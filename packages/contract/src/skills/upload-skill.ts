import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { Uuid } from '../schema/formats.ts'
import type { ProjectId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'
import { StringMap } from '../schema/objects.ts'
import { MAX_SKILL_FILES, Skill } from './skill.ts'

export const uploadSkillOperation = defineOperation({
  id: 'uploadSkill',
  method: 'POST',
  path: '/api/v1/skills',
  tag: 'Skills',
  summary: 'Upload a skill',
  description:
    'JSON with `files` (text by path), or `multipart/form-data` with the single part `file`, a zip archive. `SKILL.md` ' +
    'lies at the root or in the only top-level folder of the archive. An upload with an existing name is its next ' +
    'version; content that its newest version has already is answered with 200.',
  access: 'api_key',
  body: Type.Object(
    {
      files: Type.Optional(StringMap({ maxProperties: MAX_SKILL_FILES })),
      projectId: Type.Optional(
        Nullable(
          Uuid<ProjectId>({
            description: 'Ignored for project-scoped keys: the skill is created in their project.',
          }),
        ),
      ),
    },
    {
      additionalProperties: false,
      examples: [
        {
          files: {
            'SKILL.md':
              '---\nname: refunds\ndescription: Decides about refunds. Use it for orders that come back.\n---\nAsk for the order first.\n',
          },
        },
      ],
    },
  ),
  bodyOptional: true,
  success: {
    status: 201,
    description: 'The skill in its new version.',
    unchanged: 'The skill, whose newest version already has this content.',
    body: Skill,
  },
  errors: ['validation_error', 'project_not_found'],
})
