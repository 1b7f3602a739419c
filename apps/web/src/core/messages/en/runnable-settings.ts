import type { SettingWords } from '../../forms/setting-words.ts'

/** The words of memory, guardrails and sharing, shared by agents and teams, by their paths. */
export const RUNNABLE_SETTING_WORDS = {
  'memory.history.enabled': {
    label: 'Remember the conversation',
    help: 'Earlier turns of the session go to the model with each new message.',
  },
  'memory.history.max_runs': {
    label: 'Remembered turns',
    help: 'Only the newest turns are sent.',
    none: 'As many as fit',
  },
  'memory.history.max_tokens': {
    label: 'History limit',
    help: 'Older turns are omitted beyond this.',
    none: 'As much as fits',
    unit: 'tokens',
  },
  'memory.history.tool_traffic_runs': {
    label: 'Turns with tool calls',
    help: 'How many of the newest turns include tool calls and results. Messages are kept longer.',
  },
  'memory.summary.enabled': {
    label: 'Summarize long conversations',
    help: 'Turns that no longer fit are summarized in the background.',
  },
  'memory.summary.trigger_tokens': {
    label: 'Summarize from',
    help: 'A longer conversation is summarized.',
    unit: 'tokens',
  },
  'memory.user_memories.enabled': {
    label: 'Remember facts about users',
    help: 'Facts outlive the conversation. They belong to the user_id that callers send.',
  },
  'memory.user_memories.scope': {
    label: 'Shared with',
    choices: {
      agent: { label: 'Nobody else' },
      project: { label: 'Every agent and team of the project' },
    },
  },
  'memory.user_memories.max': {
    label: 'Maximum facts per user',
    help: 'A new fact replaces the oldest one.',
  },
  'guardrails.input': { label: 'Before the model', help: 'Rules that check the user’s message.' },
  'guardrails.output': { label: 'Before the caller', help: 'Rules that check the final text.' },
  expose: {
    label: 'Available through',
    help: 'MCP clients with a key of this organization see it as a tool.',
    none: 'Only the API',
    choices: { mcp: { label: 'API and MCP' } },
  },
} as const satisfies Record<string, SettingWords>

/** The words of the budget of a run, by their keys. */
export const RUN_BUDGET_WORDS = {
  max_total_tokens: {
    label: 'Tokens per run',
    help: 'Input and output of all model calls of one run.',
    none: 'No limit',
  },
  max_cost_usd: {
    label: 'Cost per run',
    help: 'Needs models with prices.',
    none: 'No limit',
    unit: 'US$',
  },
  on_exceeded: {
    label: 'When the budget is used up',
    choices: {
      finalize: { label: 'Finish', detail: 'One last model call answers from the results so far.' },
      fail: { label: 'Fail', detail: 'The run ends with an error.' },
    },
  },
} as const satisfies Record<string, SettingWords>

/** The words of the answer format, by their keys. */
export const OUTPUT_WORDS = {
  mode: {
    label: 'Answer format',
    choices: {
      text: { label: 'Text' },
      json_schema: {
        label: 'JSON',
        detail: 'JSON that matches a schema. Answers that do not match are sent back for repair.',
      },
    },
  },
  schema: {
    label: 'Answer schema',
    help: 'A JSON Schema. Answers that do not match are repaired, then refused.',
  },
  strategy: {
    label: 'How JSON is requested',
    choices: {
      auto: { label: 'Automatic', detail: 'The provider’s best method, with or without tools.' },
      native: { label: 'In the same call', detail: 'Not every provider supports this together with tools.' },
      final_step: {
        label: 'In a final call',
        detail: 'Works first, then writes the JSON in a separate call.',
      },
    },
  },
  max_repairs: {
    label: 'Repairs',
    help: 'How often the model may correct an answer that does not match the schema.',
  },
} as const satisfies Record<string, SettingWords>
