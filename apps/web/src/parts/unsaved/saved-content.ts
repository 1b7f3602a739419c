import type { AgentStatus, AnyVersionId, FieldError, IdText } from '@troupe/contract'
import type { AgentDetails, ChangeAuthor } from '@troupe/contract/builder'
import type { ConfigContent } from '@troupe/editor/values/config-content'

/** The server's version of an editor's content, limited to the editor's needs. */
export interface SavedContent extends ConfigContent {
  versionId: IdText<AnyVersionId>
  versionNumber: number
  /** Absent: callers always run the saved version. */
  status?: AgentStatus
  /** The warnings of its save; absent: none, or it was not saved here. */
  warnings?: readonly FieldError[]
  changedBy: Pick<ChangeAuthor, 'name'>
  updatedAt: string
  usedBy: AgentDetails['usedBy']
}
