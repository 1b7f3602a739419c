import { MAX_FIELD_BYTES } from '@troupe/graph'
import { modelOf } from '../definition/model-field.ts'
import { effectHandler } from '../execution/handler.ts'
import { replyValue } from '../execution/reply-value.ts'
import { resolvedText, textWithin } from '../execution/resolve-field.ts'
import { aiPrompt } from './definition.ts'

/** Calls the model chain once. */
export const executeAiPrompt = effectHandler(aiPrompt, {
  prepare: (config, { scope }) => ({
    model: modelOf(config.model),
    system: resolvedText(config.system, 'system', scope),
    prompt: textWithin(config.prompt, 'prompt', scope, MAX_FIELD_BYTES),
    outputSchema: config.outputSchema,
  }),
  inputOf: ({ system, prompt }) => ({ system, prompt }),
  execute: async ({ model, system, prompt, outputSchema }, { services }) => {
    const schema = outputSchema && { name: 'answer', schema: outputSchema }
    const answer = await services.callModel({ model, system, prompt, purpose: 'prompt', schema })
    const { text, inputTokens, outputTokens } = answer
    const trace = { input: { system, prompt }, agentRunId: null, inputTokens, outputTokens }
    return {
      ...trace,
      result: { status: 'completed', output: replyValue(text, outputSchema, trace) },
    }
  },
})
