import { toolSchemaProblems } from '@troupe/agents'
import { type AgentConfig, type MergedConfig, mergeAgentConfig } from '@troupe/contract'
import { agentConfigFaults } from './config-faults.ts'

/** Like `mergeAgentConfig`; schemas and patterns must be usable too. */
export function mergeUsableConfig(patch: Record<string, unknown>, stored?: AgentConfig): MergedConfig {
  const merged = mergeAgentConfig(patch, stored)
  const errors = merged.ok ? [...toolSchemaProblems(merged.config), ...agentConfigFaults(merged.config)] : []
  return errors.length > 0 ? { ok: false, errors } : merged
}
