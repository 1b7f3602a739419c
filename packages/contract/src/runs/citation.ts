import { type Static, Type } from 'typebox'
import { Uuid } from '../schema/formats.ts'
import type { KnowledgeDocumentId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'

/** A passage that an answer cites as `[n]`. */
export const Citation = Type.Object({
  n: Type.Integer({ description: 'The number in brackets in `content`.' }),
  documentId: Uuid<KnowledgeDocumentId>(),
  documentName: Type.String(),
  page: Nullable(Type.Integer()),
  url: Nullable(Type.String()),
  quote: Type.String({ description: 'The beginning of the passage, at most 300 characters.' }),
})
export type Citation = Static<typeof Citation>

/** Only in results of runs that retrieved passages to cite. */
export const Citations = Type.Optional(
  Type.Array(Citation, { description: 'The passages cited in `content`; absent when none was retrieved.' }),
)
