import type { RunDependencies } from '@troupe/agents'
import { type GuardrailType, type NewId, RunId } from '@troupe/contract'
import type { TriedGuardrails, TryGuardrailsBody } from '@troupe/contract/builder'
import type { BuilderCaller } from '../access/builder-caller.ts'

/** Dependencies of trying rules. */
export interface TryGuardrailsParts {
  runs: { deps: Pick<RunDependencies, 'guardrails'> }
  newId: NewId
}

/** Rules evaluated in this process, without a model or a network call. */
const TRIED: ReadonlySet<GuardrailType> = new Set(['pii', 'regex', 'max_length', 'prompt_injection'])
const MAX_MS = 10_000

/** The effect of edited rules on a text; rules that need a model or another server are listed, not tried. */
export async function tryGuardrails(
  { runs, newId }: TryGuardrailsParts,
  { organizationId, projectId }: Pick<BuilderCaller, 'organizationId' | 'projectId'>,
  { rules, stage, text }: TryGuardrailsBody,
): Promise<TriedGuardrails> {
  const tried = rules.filter(({ type }) => TRIED.has(type))
  const verdict = await runs.deps.guardrails.check(tried, text, {
    stage,
    organizationId,
    projectId,
    agentId: null,
    runId: newId(RunId),
    signal: AbortSignal.timeout(MAX_MS),
    ask: () => Promise.reject(new Error('A trial of guardrails calls no models.')),
  })
  const untried = rules.filter((rule) => !tried.includes(rule)).map(({ type }) => type)
  return { ...verdict, untried: [...new Set(untried)] }
}
