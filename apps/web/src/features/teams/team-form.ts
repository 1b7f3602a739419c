import type { IdText, ProjectId, TeamConfig } from '@troupe/contract'
import type { ConfigForm } from '../../parts/config-form/config-form.ts'

/**
 * Values removed from the edit by choices, and restored when these are reverted. Owned by the page, so that they survive a change
 * of the tab.
 */
export interface Withheld {
  /** The settings of a lead of the other kind. */
  managed: TeamConfig['lead'] | null
  agent: string | null
  /** The member that became the lead, with its index. */
  member: { member: TeamConfig['members'][number]; index: number; isFallback: boolean } | null
  /** The fallback member, which only handoff reads; undefined: the edit has not left handoff. */
  fallback: string | null | undefined
}

export const NOTHING_WITHHELD: Withheld = { managed: null, agent: null, member: null, fallback: undefined }

/** Props of every part of a team's editor. */
export interface TeamForm extends ConfigForm {
  config: TeamConfig
  /** The project of the team; null: the whole organization. */
  projectId: IdText<ProjectId> | null
  /** Whether a section contains unsaved changes. */
  isSectionChanged(id: TeamSectionId): boolean
}

/** The sections of the editor, in order. */
export const TEAM_SECTIONS = [
  'mode',
  'lead',
  'members',
  'about',
  'toggles',
  'choices',
  'limits',
  'memory',
  'more',
] as const
export type TeamSectionId = (typeof TEAM_SECTIONS)[number]

const SECTION_OF: Readonly<Record<string, TeamSectionId>> = {
  name: 'about',
  description: 'about',
  mode: 'mode',
  lead: 'lead',
  members: 'members',
  toggles: 'toggles',
  limits: 'limits',
  memory: 'memory',
  members_keep_own_history: 'memory',
  expose: 'more',
  guardrails: 'more',
}

/** The section of a setting, by its path in the edit; a mode's own settings belong to the answer. */
export function teamSectionOf(path: string): TeamSectionId {
  const [start = ''] = path.replace(/^config\./, '').split('.')
  return SECTION_OF[start] ?? 'choices'
}
