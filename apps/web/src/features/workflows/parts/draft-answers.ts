/** What is asked again after the draft of a workflow has changed. */
export const DRAFT_ANSWERS = ['getWorkflow', 'previewPublish', 'listWorkflows'] as const
