import { type Static, Type } from 'typebox'
import { KnowledgeDocument, MAX_DOCUMENT_TEXT } from '../../knowledge/knowledge-base.ts'
import { defineOperation } from '../../operation/operation.ts'
import { Uuid } from '../../schema/formats.ts'
import type { KnowledgeBaseId, KnowledgeDocumentId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { KeysetPage, keysetQuery } from '../operation/lists.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'

const DOCUMENT = `${ORGANIZATION_PATH}/knowledge-bases/{knowledgeBaseId}/documents/{documentId}` as const
const params = Type.Object({
  ...organizationParams,
  knowledgeBaseId: Uuid<KnowledgeBaseId>(),
  documentId: Uuid<KnowledgeDocumentId>(),
})
const { metadata } = KnowledgeDocument.properties
const notFound = ['knowledge_base_not_found', 'document_not_found'] as const

/** A passage of a document as it was read. */
export const DocumentPassage = Type.Object({
  index: Type.Integer({ description: 'Counts from 0 within the document.' }),
  page: Nullable(Type.Integer({ description: 'Of a document that has pages.' })),
  text: Type.String({
    description: 'It repeats the end of the previous passage, up to the overlap of its base.',
  }),
})
export type DocumentPassage = Static<typeof DocumentPassage>

/** The passages of a document. */
export const listKnowledgePassagesForBuilder = defineOperation({
  id: 'listKnowledgePassages',
  method: 'GET',
  path: `${DOCUMENT}/passages`,
  tag: 'Knowledge',
  summary: 'List the passages of a document',
  description:
    'The passages that searches find, in the order of the document: of the old content while it is read again. All pages of a list belong to one version of the content: `after` from another one is refused.',
  access: 'builder',
  needs: 'read',
  params,
  query: Type.Object(keysetQuery),
  success: { status: 200, description: 'One page of passages.', body: KeysetPage(DocumentPassage) },
  errors: ['validation_error', ...notFound],
})

/** The text of a document written in the builder. */
export const getKnowledgeDocumentTextForBuilder = defineOperation({
  id: 'getKnowledgeDocumentText',
  method: 'GET',
  path: `${DOCUMENT}/text`,
  tag: 'Knowledge',
  summary: 'Read the text of a written document',
  access: 'builder',
  needs: 'read',
  params,
  success: {
    status: 200,
    description: 'The text.',
    body: Type.Object({
      text: Nullable(
        Type.String({ description: 'null for a file or a page: only its passages are known as text.' }),
      ),
      contentHash: Nullable(Type.String({ description: 'SHA-256 of the text: the base of an edit.' })),
    }),
  },
  errors: notFound,
})

export const UpdateKnowledgeDocumentBody = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    text: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_DOCUMENT_TEXT })),
    metadata: Type.Optional(metadata),
    contentHash: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          'Required with `text`, otherwise ignored: the hash of the edited text; any other one is `version_conflict`.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type UpdateKnowledgeDocumentBody = Static<typeof UpdateKnowledgeDocumentBody>

/** Edits a document written in the builder. */
export const updateKnowledgeDocumentForBuilder = defineOperation({
  id: 'updateKnowledgeDocument',
  method: 'PUT',
  path: DOCUMENT,
  tag: 'Knowledge',
  summary: 'Edit a written document',
  description:
    'Under its own id. Absent fields are unchanged. A document with a changed text is read again; searches find the old one until then, unless the metadata changes with it.',
  access: 'builder',
  needs: 'build',
  params,
  body: UpdateKnowledgeDocumentBody,
  success: { status: 200, description: 'The document.', body: KnowledgeDocument },
  errors: ['validation_error', 'version_conflict', ...notFound],
})
