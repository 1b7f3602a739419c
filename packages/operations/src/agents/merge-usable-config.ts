import { toolSchemaProblems } from '@troupe/agents'
import { type AgentConfig, type MergedConfig, mergeAgentConfig } from '@troupe/contract'

/** Like `mergeAgentConfig`; the schemas of the tools' arguments must be usable too. */
export function mergeUsableConfig(patch: Record<string, unknown>, stored?: AgentConfig): MergedConfig {
  const merged = mergeAgentConfig(patch, stored)
  const errors = merged.ok ? toolSchemaProblems(merged.config) : []
  return errors.length > 0 ? { ok: false, errors } : merged
}
