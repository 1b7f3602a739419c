import { checkedId, type IdText, ProjectId } from '@troupe/contract'

/** The project of a list's query, which its schema has checked: `none` is what belongs to no project, null is everything. */
export function projectFilter(asked: IdText<ProjectId> | 'none' | undefined): ProjectId | 'none' | null {
  return asked === undefined ? null : asked === 'none' ? 'none' : checkedId(ProjectId, asked)
}
