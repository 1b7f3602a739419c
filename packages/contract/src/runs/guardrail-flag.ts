import { type Static, Type } from 'typebox'
import { GUARDRAIL_STAGES } from '../agents/config/guardrails.ts'
import { Choice } from '../schema/choice.ts'

/** A rule of `guardrails` that a text of the run broke, or that could not be checked. */
export const GuardrailFlag = Type.Object({
  stage: Choice(GUARDRAIL_STAGES),
  type: Type.String({ description: 'The type of the rule.' }),
  action: Choice(['block', 'redact', 'flag', 'allow'], {
    description: 'The action; `allow`: the rule could not be checked and lets the text pass.',
  }),
  reason: Type.String({ description: 'Never quotes the text.' }),
})
export type GuardrailFlag = Static<typeof GuardrailFlag>

/** Shared by the results of agents, teams and jobs. */
export const guardrailFlags = {
  flags: Type.Optional(
    Type.Array(GuardrailFlag, { description: 'Rules that were broken; absent when none was.' }),
  ),
}
