import { Type } from 'typebox'
import { Choice } from '../../schema/choice.ts'
import { Uuid } from '../../schema/formats.ts'
import type { KnowledgeBaseId, LlmConfigId, SkillId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { OpenObject } from '../../schema/objects.ts'

/** `config.knowledge`: the knowledge bases that an agent searches, and the search settings. */
export const KnowledgeConfig = Type.Object({
  base_ids: Type.Optional(Type.Array(Uuid<KnowledgeBaseId>(), { maxItems: 100 })),
  mode: Type.Optional(Choice(['tool', 'auto'])),
  top_k: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
  min_score: Type.Optional(Nullable(Type.Number({ minimum: 0, maximum: 1 }))),
  rerank_llm_config_id: Type.Optional(Nullable(Uuid<LlmConfigId>())),
  cite: Type.Optional(Type.Boolean()),
  filters: Type.Optional(OpenObject({ maxProperties: 100 })),
})

/** `config.skills[]`: a skill by id or by slug. */
export const SkillConfig = Type.Object({
  skill_id: Type.Optional(Uuid<SkillId>()),
  slug: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  pinned_version: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }))),
})
