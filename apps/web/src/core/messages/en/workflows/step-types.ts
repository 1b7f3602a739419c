/** What each type of step is called, for pages that do not load the definitions. */
export const STEP_TYPE_TITLES: Readonly<Record<string, string>> = {
  'manual-trigger': 'Manual trigger',
  'http-request': 'HTTP Request',
  'form-trigger': 'Form Trigger',
  recurrence: 'Recurrence',
  'ai-agent': 'AI Agent',
  'team-step': 'Team Step',
  'ai-prompt': 'AI Prompt',
  classify: 'Classify',
  'if-else': 'If / Else',
  loop: 'Loop',
  'edit-fields': 'Edit Fields',
  variable: 'Variable',
  'human-review': 'Human Review',
  note: 'Note',
}

/** The ways on from a step, by their handles. Others are called as in the workflow, such as the classes of a Classify. */
export const HANDLE_WORDS: Readonly<Record<string, string>> = {
  true: 'if true',
  false: 'if false',
  approved: 'approved',
  rejected: 'rejected',
  timeout: 'after the deadline',
  other: 'anything else',
  done: 'after the last one',
  body: 'for each',
  out: 'then',
}
