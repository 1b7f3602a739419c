import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import {
  AGENT_CONFIG_DEFAULTS,
  type AgentConfig,
  GuardrailFlag,
  type GuardrailStage,
  Nullable,
  type ProjectId,
} from '@troupe/contract'
import { journalStep, schemaOf } from '@troupe/durable-work'
import { Type } from 'typebox'
import type { GuardrailQuestion, GuardrailVerdict } from '../ports/guardrails.ts'
import { type ActingAgent, addSpent, type Spent } from '../run/acting-agent.ts'
import { type ModelStepRequest, modelStep } from '../run/model-step.ts'
import { isRefusedRequest } from '../run/refused-request.ts'
import type { RunContext } from '../run/run-context.ts'
import { RunFailure } from '../run/run-failure.ts'
import { SPENT } from '../run/step-shapes.ts'

type Rules = AgentConfig['guardrails'][GuardrailStage]

/** The owner of the guarded texts, and the rules. */
export interface Guarded {
  actor: ActingAgent
  projectId: ProjectId | null
  rules: AgentConfig['guardrails']
  /** Prefix of the checks in the journal; empty for the root run's own. */
  keyPrefix: string
}

/** A committed check. */
interface CheckRecord {
  verdict: GuardrailVerdict
  spent: Spent
}

const GUARDRAIL_CHECK = journalStep(
  'guardrail_check',
  1,
  schemaOf<CheckRecord>()(
    Type.Object({
      verdict: Type.Object({
        text: Type.String(),
        blocked: Nullable(Type.String()),
        flags: Type.Array(GuardrailFlag),
      }),
      spent: SPENT,
    }),
  ),
)

/** The actor with the models of a rule. */
async function askedActor(
  ctx: RunContext,
  { actor, projectId }: Guarded,
  { llmConfigId, modelId }: GuardrailQuestion,
): Promise<Pick<ActingAgent, 'resolved'>> {
  if (llmConfigId === null && modelId === null) return actor
  const { model } = AGENT_CONFIG_DEFAULTS
  const primary = { ...model.primary, llm_config_id: llmConfigId, model_id: modelId }
  const resolved = await ctx.services.resolveModel({ projectId, model: { ...model, primary } })
  if (!resolved) throw new RunFailure('The LLM configuration of a guardrail is not connected.')
  return { resolved }
}

function promptOf({ instructions, text, schema }: GuardrailQuestion): LanguageModelV4Prompt {
  const rule = `Answer with JSON that follows this JSON Schema, and nothing else:\n${JSON.stringify(schema)}`
  return [
    { role: 'system', content: `${instructions}\n\n${rule}` },
    { role: 'user', content: [{ type: 'text', text: JSON.stringify({ text }) }] },
  ]
}

/** Calls a rule's model; if it rejects the response format, without one. */
async function ask(
  ctx: RunContext,
  guarded: Guarded,
  question: GuardrailQuestion,
  { spent, signal }: { spent: Spent; signal: AbortSignal },
): Promise<string> {
  const actor = { ...guarded.actor, ...(await askedActor(ctx, guarded, question)), spent }
  const step: ModelStepRequest = {
    purpose: 'guardrail',
    step: 0,
    prompt: promptOf(question),
    writer: null,
    signal,
  }
  // The rule being checked must not wait for itself.
  const open: RunContext = { ...ctx, output: { ...ctx.output, gate: null } }
  const responseFormat = { type: 'json' as const, name: 'verdict', schema: question.schema }
  try {
    return (await modelStep(open, actor, { ...step, options: { responseFormat } })).text
  } catch (error) {
    if (!isRefusedRequest(error)) throw error
  }
  return (await modelStep(open, actor, step)).text
}

/**
 * Checks a text once: a resumed job gets the committed verdict. Flags and the tokens of the rules are added to the run
 * in both cases.
 *
 * @throws the signal's reason, or SliceEnded.
 */
export async function checkText(
  ctx: RunContext,
  guarded: Guarded,
  { stage, rules, key }: { stage: GuardrailStage; rules: Rules; key: string },
  { text, signal = ctx.signal }: { text: string; signal?: AbortSignal },
): Promise<GuardrailVerdict> {
  const { actor, projectId, keyPrefix } = guarded
  const { verdict, spent } = await ctx.journal.once(
    GUARDRAIL_CHECK,
    `${keyPrefix}guard:${key}`,
    async (): Promise<CheckRecord> => {
      const own: Spent = { inputTokens: 0, outputTokens: 0, failoverUsed: false }
      const found = await ctx.services.guardrails.check(rules, text, {
        stage,
        organizationId: ctx.identity.organizationId,
        projectId,
        agentId: actor.agentId,
        runId: ctx.identity.runId,
        signal,
        ask: (question) => ask(ctx, guarded, question, { spent: own, signal }),
      })
      return { verdict: found, spent: own }
    },
  )
  addSpent(actor.spent, spent)
  ctx.output.flags.push(...verdict.flags)
  return verdict
}
