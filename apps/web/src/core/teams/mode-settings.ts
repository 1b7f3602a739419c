import type { CoordinationMode, TeamConfig } from '@troupe/contract'

/** The settings that only some modes read, and which. Every other setting applies in every mode. */
const READ_BY = {
  fallback_member: ['handoff'],
  lead_may_answer_directly: ['dynamic-delegation'],
  min_successful_members: ['parallel'],
  'toggles.share_member_interactions': ['handoff', 'dynamic-delegation', 'plan-execute'],
  'limits.max_iterations': ['plan-execute'],
  'limits.lead_max_steps': ['dynamic-delegation'],
  'limits.max_delegations': ['dynamic-delegation'],
  'limits.max_concurrent_members': ['dynamic-delegation', 'plan-execute'],
} as const satisfies Record<string, readonly CoordinationMode[]>

/** A setting that some modes ignore, by its path in the configuration. */
export type ModeSetting = keyof typeof READ_BY

export const MODE_SETTINGS = Object.keys(READ_BY).filter(isModeSetting)

function isModeSetting(path: string): path is ModeSetting {
  return Object.hasOwn(READ_BY, path)
}

/** Whether runs of a mode read a setting. */
export function readsSetting(mode: CoordinationMode, setting: ModeSetting): boolean {
  const modes: readonly CoordinationMode[] = READ_BY[setting]
  return modes.includes(mode)
}

/**
 * A configuration with another mode. Everything that fits is kept; a fallback member, which only `handoff` may name, is
 * removed, and `former` is restored with the mode if it is still a member.
 */
export function teamInMode(config: TeamConfig, mode: CoordinationMode, former: string | null): TeamConfig {
  if (mode !== 'handoff') return { ...config, mode, fallback_member: null }
  const before = config.fallback_member ?? former
  const member = config.members.find(({ agent }) => agent === before)
  return { ...config, mode, fallback_member: member?.agent ?? null }
}
