import type { TeamConfig } from '@troupe/contract'
import type { ConfigForm } from '../../parts/config-form/config-form.ts'

/** What every part of the editor of a team gets. */
export interface TeamForm extends ConfigForm {
  config: TeamConfig
  /** The project of the team; null: the whole organization. */
  projectId: string | null
}
