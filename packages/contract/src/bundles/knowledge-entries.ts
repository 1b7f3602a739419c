import { type Static, Type } from 'typebox'
import { DocumentMetadata, knowledgeBaseFields, MAX_DOCUMENT_TEXT } from '../knowledge/knowledge-base.ts'
import { Uuid } from '../schema/formats.ts'
import type { LlmConfigId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'
import { StringMap } from '../schema/objects.ts'
import { MAX_SKILL_FILES } from '../skills/skill.ts'
import { closed, id, project, reference, Slug, title } from './bundle-fields.ts'

/**
 * A document of a knowledge base, from one of `text`, `path`, `base64` and `url`. Without any of them, the stored document
 * of this name is kept.
 */
const BundleDocument = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    text: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_DOCUMENT_TEXT })),
    path: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description: "A file inside the bundle's folder. `troupe apply` sends it as `base64`.",
      }),
    ),
    base64: Type.Optional(
      Type.String({ minLength: 1, description: 'The bytes of a file; it needs a `name`.' }),
    ),
    url: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
    metadata: Type.Optional(DocumentMetadata),
  },
  closed,
)

/** A knowledge base with its documents; stored documents that are not in the bundle are kept. */
export const BundleKnowledgeBase = Type.Object(
  {
    slug: Slug,
    name: title,
    id,
    project,
    lang: Type.Optional(knowledgeBaseFields.lang),
    embedding: Type.Optional(
      Nullable(
        Type.Object(
          {
            /** A slug or an id. */
            llm_config: Type.Optional(reference),
            llm_config_id: Type.Optional(Uuid<LlmConfigId>()),
            model_id: Type.String({ minLength: 1, maxLength: 200 }),
          },
          closed,
        ),
      ),
    ),
    chunk_tokens: Type.Optional(knowledgeBaseFields.chunk_tokens),
    overlap_tokens: Type.Optional(knowledgeBaseFields.overlap_tokens),
    documents: Type.Optional(Type.Array(BundleDocument, { maxItems: 1000 })),
  },
  closed,
)

/** A skill, from `files` or `path`. Without them the stored one is kept; its stored versions are always kept. */
export const BundleSkill = Type.Object(
  {
    slug: Slug,
    project,
    files: Type.Optional(
      StringMap({ maxProperties: MAX_SKILL_FILES, description: 'Texts by path; `SKILL.md` is one of them.' }),
    ),
    path: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description: "A folder inside the bundle's folder. `troupe apply` sends its texts as `files`.",
      }),
    ),
  },
  closed,
)

export type BundleDocument = Static<typeof BundleDocument>
export type BundleKnowledgeBase = Static<typeof BundleKnowledgeBase>
export type BundleSkill = Static<typeof BundleSkill>
