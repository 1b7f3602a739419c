import { type Static, Type } from 'typebox'
import { Choice } from '../../schema/choice.ts'
import { Uuid } from '../../schema/formats.ts'
import type { LlmConfigId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { OpenObject } from '../../schema/objects.ts'

/** A call of a model, exactly as the chain of models would get it. */
export const ModelCallPreview = Type.Object({
  system: Nullable(Type.String()),
  messages: Type.Array(
    Type.Object({
      role: Choice(['user', 'assistant', 'tool']),
      content: Type.String(),
      toolCalls: Type.Optional(
        Type.Array(Type.Object({ name: Type.String(), arguments: Type.Unknown() }), {
          description: 'Only where the model called tools.',
        }),
      ),
    }),
  ),
  tools: Type.Array(
    Type.Object({ name: Type.String(), description: Type.String(), inputSchema: OpenObject() }),
  ),
  toolChoice: Nullable(
    Type.String({ description: '`auto`, `required`, `none`, or the name of the tool that must be called.' }),
  ),
  responseSchema: Nullable(OpenObject({ description: 'The required JSON; null: text.' })),
  model: Type.Object(
    { llmConfigId: Uuid<LlmConfigId>(), modelId: Type.String() },
    { description: 'The primary model.' },
  ),
  estimatedTokens: Type.Integer({ description: 'Of the input: a token for every 3.5 bytes.' }),
})
export type ModelCallPreview = Static<typeof ModelCallPreview>

/** A part of a prompt, with its setting. */
export const PromptPart = Type.Object({
  from: Type.String({
    description: 'A path of the configuration, `message`, `knowledge`, `skills` or `memory.history`.',
  }),
  message: Nullable(Type.Integer({ description: 'The index of the message; null: the system text.' })),
  start: Type.Integer({ description: 'In UTF-16 units.' }),
  end: Type.Integer(),
})
export type PromptPart = Static<typeof PromptPart>
