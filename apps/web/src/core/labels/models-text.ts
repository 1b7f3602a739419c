import type { AgentSummary } from '@troupe/contract/builder'
import { agentWords } from '../messages/en/agents/agents.ts'

/** The primary model of an agent, and the number of its fallbacks: `gpt-5 +2`. */
export function modelsText(models: AgentSummary['models']): string {
  const [primary, ...fallbacks] = models
  const name = primary?.modelId ?? primary?.llmConfigName ?? agentWords.defaultModel
  return fallbacks.length === 0 ? name : `${name}${agentWords.withFallbacks(fallbacks.length)}`
}
