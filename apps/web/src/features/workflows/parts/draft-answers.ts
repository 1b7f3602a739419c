/** Operations to refetch after a change of a workflow's draft. */
export const DRAFT_ANSWERS = ['getWorkflow', 'previewPublish', 'listWorkflows'] as const
