/**
 * The statements that return columns without declaring them. This list may only shrink: a new statement declares its
 * columns. Most of these are pages of the builder, whose rows consist of nulls when a page is empty.
 */
export const UNDECLARED: readonly string[] = [
  'agent_overview',
  'agent_overviews_by_createdAt',
  'agent_overviews_by_name',
  'agent_overviews_by_updatedAt',
  'agent_version',
  'agent_versions_page',
  'find_repeatable_run',
  'finish_run',
  'finish_stream',
  'finish_with_members',
  'lock_workflow_draft',
  'save_workflow_draft',
  'saved_workflow_change',
  'team_overview',
  'team_overviews_by_createdAt',
  'team_overviews_by_name',
  'team_overviews_by_updatedAt',
  'team_version',
  'team_versions_page',
]
