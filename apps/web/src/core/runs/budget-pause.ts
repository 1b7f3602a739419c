import type { NamedBudget } from '@troupe/contract/builder'

/** The budget that a run waits for, by the reason of its status; null: it waits for something else. */
export function budgetOfPause(statusReason: string | null): NamedBudget['metric'] | null {
  const [, metric] = /^budget (\w+)(?: of the project)? used up$/.exec(statusReason ?? '') ?? []
  return METRICS.find((one) => one === metric) ?? null
}

const METRICS = ['llm_tokens', 'llm_cost_usd', 'workflow_runs', 'voice_minutes'] as const
