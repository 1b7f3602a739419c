import type { ProjectId } from '@troupe/contract'
import type { ObservedKind } from './run-list.ts'

/** A thing that a search found. */
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
  /** Its status or number; null for nothing to add. */
  detail: string | null
  projectId: ProjectId | null
  /** What a run, a review or a version belongs to. */
  parentId: string | null
}
