import { type Static, Type } from 'typebox'
import { Expose } from '../../schema/expose.ts'
import { StringMap } from '../../schema/objects.ts'
import { ExecutionConfig } from './execution.ts'
import { GuardrailsConfig } from './guardrails.ts'
import { KnowledgeConfig, SkillConfig } from './knowledge.ts'
import { MemoryConfig } from './memory.ts'
import { ModelConfig } from './model.ts'
import { PromptConfig } from './prompt.ts'
import { MAX_TOOLS, ToolConfig } from './tools.ts'

/** An agent's complete configuration as in requests, where every field is optional. Unknown keys are kept. */
export const AgentConfigInput = Type.Object({
  model: Type.Optional(ModelConfig),
  instructions: Type.Optional(Type.String({ maxLength: 100_000 })),
  prompt: Type.Optional(PromptConfig),
  memory: Type.Optional(MemoryConfig),
  tools: Type.Optional(Type.Array(ToolConfig, { maxItems: MAX_TOOLS })),
  skills: Type.Optional(Type.Array(SkillConfig, { maxItems: 32 })),
  knowledge: Type.Optional(KnowledgeConfig),
  execution: Type.Optional(ExecutionConfig),
  guardrails: Type.Optional(GuardrailsConfig),
  privacy: Type.Optional(
    Type.Object({
      store_messages: Type.Optional(Type.Boolean()),
      trace_inputs: Type.Optional(Type.Boolean()),
      trace_outputs: Type.Optional(Type.Boolean()),
      expose_reasoning: Type.Optional(Type.Boolean()),
    }),
  ),
  expose: Type.Optional(Expose),
  metadata: Type.Optional(StringMap({ maxProperties: 1_000 })),
})
export type AgentConfigInput = Static<typeof AgentConfigInput>

/** Makes every key required, at every depth; arrays keep the shape of their items. */
type Complete<T> = T extends string
  ? T
  : T extends readonly (infer Item)[]
    ? Item[]
    : T extends object
      ? { [K in keyof T]-?: Complete<Exclude<T[K], undefined>> }
      : T

/** A merged configuration: the defaults overridden by everything that was set. */
export type AgentConfig = Complete<AgentConfigInput>
