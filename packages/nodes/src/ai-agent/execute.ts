import { AgentId, checkedId, toolContextErrors } from '@troupe/contract'
import type { InterpolationScope } from '@troupe/graph'
import { jsonAnswer, jsonType } from '@troupe/json-schema'
import { NodeFailure } from '@troupe/workflows/ports'
import { isObject } from '../definition/fill-defaults.ts'
import { conversationInput, conversationTrace, converse } from '../execution/conversation.ts'
import { effectHandler } from '../execution/handler.ts'
import { valueIn } from '../execution/resolve-field.ts'
import { aiAgent } from './definition.ts'

function toolContextOf(template: unknown, scope: InterpolationScope): Record<string, unknown> {
  const value = valueIn(template, 'toolContext', scope) ?? {}
  if (!isObject(value)) throw new NodeFailure(`toolContext must be an object, got ${jsonType(value)}`)
  const errors = toolContextErrors(value)
  if (errors.length === 0) return value
  throw new NodeFailure(errors.map(({ path, message }) => `${path} ${message}`).join('; '))
}

/** Runs the agent with the same engine as the API. */
export const executeAiAgent = effectHandler(aiAgent, {
  prepare: (config, { scope }) => ({
    request: {
      kind: 'agent' as const,
      entityId: checkedId(AgentId, config.agentId),
      ...conversationInput(config, scope),
      toolContext: toolContextOf(config.toolContext, scope),
      output: config.outputSchema && jsonAnswer(config.outputSchema),
    },
    outputSchema: config.outputSchema,
    onUnsuccessful: config.onUnsuccessful,
  }),
  inputOf: conversationTrace,
  execute: converse,
})
