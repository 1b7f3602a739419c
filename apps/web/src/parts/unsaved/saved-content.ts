import type { AgentStatus, FieldError } from '@troupe/contract'
import type { AgentDetails, ChangeAuthor } from '@troupe/contract/builder'
import type { ConfigContent } from '@troupe/editor/values/config-content'

/** What an editor edits as the server has it, as far as the editor needs it. */
export interface SavedContent extends ConfigContent {
  versionId: string
  versionNumber: number
  /** Absent: callers run what is saved, whatever it is. */
  status?: AgentStatus
  /** What the save of it said; absent: nothing, or it was not saved here. */
  warnings?: readonly FieldError[]
  changedBy: Pick<ChangeAuthor, 'name'>
  updatedAt: string
  usedBy: AgentDetails['usedBy']
}
