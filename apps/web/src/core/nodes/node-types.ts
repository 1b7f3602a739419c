// Written by `npm run generate:nodes` from the definitions of the node types, for pages that do not load those.

/** Titles of types that do not follow from the type: `edit-fields` is Edit Fields. */
export const STEP_TYPE_TITLES: Readonly<Record<string, string>> = {
  'ai-agent': 'AI Agent',
  'ai-prompt': 'AI Prompt',
  'http-request': 'HTTP Request',
  'if-else': 'If / Else',
  'manual-trigger': 'Manual trigger',
}

/** The types that call models: those of the group AI. */
export const MODEL_NODES: ReadonlySet<string> = new Set(['ai-agent', 'ai-prompt', 'classify', 'team-step'])
