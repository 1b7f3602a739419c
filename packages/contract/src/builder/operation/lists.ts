import { type TSchema, Type } from 'typebox'
import { Choice } from '../../schema/choice.ts'
import { Uuid } from '../../schema/formats.ts'
import type { ProjectId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { pageQuery } from '../../schema/page.ts'

/** The query of a list of configuration. */
export const configurationQuery = {
  ...pageQuery,
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Part of the name, slug or description, or the start of the id.',
    }),
  ),
  sort: Type.Optional(Choice(['name', '-updatedAt', '-createdAt'], { default: '-updatedAt' })),
  projectId: Type.Optional(
    Type.Union([Uuid<ProjectId>(), Type.Literal('none')], {
      description: 'Only this project; `none`: only resources without a project.',
    }),
  ),
}

/** The query of a growing list: it continues after the last item of the previous page. */
export const keysetQuery = {
  after: Type.Optional(Type.String({ maxLength: 200, description: '`next` of the previous page.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
}

/** One page of a growing list. */
export const KeysetPage = <T extends TSchema>(item: T) =>
  Type.Object({
    data: Type.Array(item),
    next: Nullable(
      Type.String({ description: 'Sent as `after` for the next page; null: this is the last one.' }),
    ),
  })
