import type { TeamConfig } from '@troupe/contract'
import type { ConfigForm } from '../../parts/config-form/config-form.ts'

/**
 * What choices have taken out of the edit, and give back when they are taken back. The page has it, so that it outlives a look at
 * another tab.
 */
export interface Withheld {
  /** What a lead of the other kind had. */
  managed: TeamConfig['lead'] | null
  agent: string | null
  /** The member that became the lead, with its place. */
  member: { member: TeamConfig['members'][number]; index: number; isFallback: boolean } | null
  /** The fallback member, which only handoff reads; undefined: the edit has not left handoff. */
  fallback: string | null | undefined
}

export const NOTHING_WITHHELD: Withheld = { managed: null, agent: null, member: null, fallback: undefined }

/** What every part of the editor of a team gets. */
export interface TeamForm extends ConfigForm {
  config: TeamConfig
  /** The project of the team; null: the whole organization. */
  projectId: string | null
}
