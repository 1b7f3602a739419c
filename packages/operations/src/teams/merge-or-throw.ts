import { DomainError, mergeTeamConfig, type TeamConfig } from '@troupe/contract'
import { requireNoFaults, teamConfigFaults } from '../agents/config-faults.ts'

/** The merged configuration. @throws DomainError `validation_error` with every failure */
export function mergeOrThrow(patch: Record<string, unknown>, stored?: TeamConfig): TeamConfig {
  const merged = mergeTeamConfig(patch, stored)
  if (merged.ok) {
    requireNoFaults(teamConfigFaults(merged.config))
    return merged.config
  }
  throw new DomainError('validation_error', 'The configuration is not valid.', { errors: merged.errors })
}
