import type { TeamConfig } from '@troupe/contract'

/** What every part of the editor of a team gets. */
export interface TeamForm {
  config: TeamConfig
  /** The project of the team; null: the whole organization. */
  projectId: string | null
  /** Sets one value below `config`, such as `limits.max_seconds`. Undefined removes a key or an item of a list. */
  change(path: string, value: unknown): void
  /** What is wrong with a value below `config`, as a sentence; null: nothing. */
  errorAt(path: string): string | null
  isReadOnly: boolean
}
