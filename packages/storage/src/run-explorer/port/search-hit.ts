import type { ProjectId } from '@troupe/contract'
import type { ObservedKind } from './run-list.ts'

/** A search result. */
export interface SearchHit {
  kind:
    | ObservedKind
    | `${ObservedKind}_run`
    | `${ObservedKind}_version`
    | 'llm_configuration'
    | 'knowledge_base'
    | 'skill'
    | 'credential'
    | 'mcp_server'
    | 'voice_configuration'
    | 'phone_trunk'
    | 'project'
    | 'api_key'
    | 'review'
  id: string
  name: string
  /** Its status or number; null if there is nothing to add. */
  detail: string | null
  projectId: ProjectId | null
  /** The parent of a run, a review or a version. */
  parentId: string | null
}
