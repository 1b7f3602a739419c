import { checkedId, TeamId } from '@troupe/contract'
import { conversationInput, conversationTrace, converse } from '../execution/conversation.ts'
import { effectHandler } from '../execution/handler.ts'
import { teamStep } from './definition.ts'

/** Runs the team with the same engine as the API. */
export const executeTeamStep = effectHandler(teamStep, {
  prepare: (config, { scope }) => ({
    request: {
      kind: 'team' as const,
      entityId: checkedId(TeamId, config.teamId),
      ...conversationInput(config, scope),
      toolContext: {},
      output: null,
    },
    outputSchema: null,
    onUnsuccessful: config.onUnsuccessful,
  }),
  inputOf: conversationTrace,
  execute: converse,
})
