import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Choice } from '../../schema/choice.ts'
import { Uuid } from '../../schema/formats.ts'
import type { PromptId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { ORGANIZATION_PATH } from '../operation/paths.ts'
import { observedRunParams } from './get-run.ts'

/** The prompt of a model call. */
export const RunPrompt = Type.Object({
  messages: Type.Array(
    Type.Object({
      role: Choice(['system', 'user', 'assistant', 'tool']),
      content: Type.String({
        description: 'At most 32,768 characters of a text, with a note of the omitted part at its end.',
      }),
      toolCalls: Type.Optional(
        Type.Array(Type.Object({ name: Type.String(), arguments: Type.String({ description: 'JSON.' }) }), {
          description: 'Only where the model called tools.',
        }),
      ),
    }),
  ),
  tools: Type.Array(Type.String(), { description: 'The names of the tools that were offered; at most 256.' }),
  toolChoice: Nullable(
    Type.String({ description: '`auto`, `required`, `none`, or the name of the tool that must be called.' }),
  ),
  isJson: Type.Boolean({ description: 'Whether JSON was requested.' }),
  leftOut: Type.Integer({
    description: 'Messages at the end that are not kept: a run keeps 262,144 characters.',
  }),
})
export type RunPrompt = Static<typeof RunPrompt>

export const getRunPromptForBuilder = defineOperation({
  id: 'getRunPrompt',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/runs/{runId}/prompts/{promptId}`,
  tag: 'Runs',
  summary: 'Get the prompt of a model call',
  description:
    'As it was sent, without thoughts and other state of the provider. Kept as long as the messages of the run, and shown where inputs and outputs are.',
  access: 'builder',
  needs: 'read',
  params: Type.Object({ ...observedRunParams, promptId: Uuid<PromptId>() }),
  success: { status: 200, description: 'The prompt.', body: RunPrompt },
  errors: ['run_not_found'],
})
