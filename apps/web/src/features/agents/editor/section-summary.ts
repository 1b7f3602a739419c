import { isJsonObject, propertyOf } from '@troupe/contract'
import { valueAt } from '@troupe/editor/values/json-path'
import { duration } from '../../../core/format/times.ts'
import { AGENT_SPECS } from '../../../core/forms/setting-specs.ts'
import { unknownSettings } from '../../../core/forms/unknown-settings.ts'
import { agentSectionWords as words } from '../../../core/messages/en/agents/agent-sections.ts'
import type { EditorSectionId } from './editor-sections.ts'

/** The summary of a closed section's settings. */
export function sectionSummary(id: EditorSectionId, config: Record<string, unknown>): string {
  const at = (path: string) => valueAt(config, path)
  const count = (path: string) => {
    const value = at(path)
    return Array.isArray(value) ? value.length : 0
  }
  switch (id) {
    case 'tools':
      return words.toolsSummary(count('tools'), approvalsIn(at('tools')))
    case 'knowledge':
      return words.knowledgeSummary(count('knowledge.base_ids'))
    case 'skills':
      return words.skillsSummary(count('skills'))
    case 'memory':
      return words.memorySummary({
        history: at('memory.history.enabled') !== false,
        summary: at('memory.summary.enabled') !== false,
        facts: at('memory.user_memories.enabled') === true,
      })
    case 'guardrails':
      return words.guardrailsSummary(count('guardrails.input'), count('guardrails.output'))
    case 'answer':
      return at('execution.output.mode') === 'json_schema' ? words.answerJson : words.answerText
    case 'limits':
      return words.limitsSummary(
        Number(at('execution.max_steps') ?? 0),
        duration(Number(at('execution.max_seconds') ?? 0) * 1_000),
        hasBudget(at('execution.budget')),
      )
    case 'privacy':
      return words.privacySummary(at('privacy.store_messages') !== false, at('expose') === 'mcp')
    case 'advanced':
      return words.advancedSummary(unknownSettings(config, AGENT_SPECS).length)
    default:
      return id satisfies never
  }
}

function approvalsIn(tools: unknown): number {
  if (!Array.isArray(tools)) return 0
  return tools.filter((tool) => (propertyOf(tool, 'approval') ?? 'never') !== 'never').length
}

function hasBudget(budget: unknown): boolean {
  return isJsonObject(budget) && (budget.max_total_tokens ?? budget.max_cost_usd ?? null) !== null
}
