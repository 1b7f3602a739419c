import { counted } from '../../../format/numbers.ts'

const list = (parts: readonly string[]) => parts.join(', ')

const SECTIONS = {
  instructions: { title: 'Instructions', detail: 'The model reads them first, with every message.' },
  model: {
    title: 'Model',
    detail: 'The first model answers. When it cannot, the next one takes over.',
  },
  identity: { title: 'Name and purpose', detail: 'How people and team leads find the agent.' },
  tools: { title: 'Tools', detail: 'Actions and lookups. The model decides when to use them.' },
  knowledge: { title: 'Knowledge', detail: 'Documents that it may search.' },
  skills: { title: 'Skills', detail: 'Guides that it loads for a task.' },
  memory: { title: 'Memory', detail: 'Context from the conversation and facts about the user.' },
  guardrails: { title: 'Guardrails', detail: 'Rules that check the input and the output.' },
  answer: { title: 'Answer', detail: 'Text for people, or JSON for programs.' },
  limits: { title: 'Limits and budget', detail: 'Limits on time, steps, tool calls and cost.' },
  privacy: { title: 'Privacy and sharing', detail: 'Stored data, and access over MCP.' },
  advanced: { title: 'Advanced', detail: 'The whole configuration, and settings that have no form here.' },
} as const

/** Texts of the sections of an agent, which are loaded behind its page. */
export const agentSectionWords = {
  saveWarnings: 'Saved with warnings',
  changed: (who: string, when: string) => `Changed by ${who}, ${when}`,
  archiveTitle: (name: string) => `Archive “${name}”?`,
  archiveText: 'Callers get an error until it is reopened. Nothing is deleted: its versions and runs stay.',
  archiveRefused: (name: string) => `“${name}” cannot be archived yet`,
  archiveUsers: 'These would fail without it. Remove it there first:',
  archiveAction: 'Archive agent',
  runs: 'Runs',
  sections: SECTIONS,
  sectionList: 'Sections',
  name: 'Name',
  description: 'Description',
  descriptionHelp: 'Team leads and MCP clients read this to decide when to use the agent.',
  instructions: 'Instructions',
  instructionsPlaceholder: 'You answer questions of our customers about their orders…',
  prompt: 'Added to the instructions',
  promptNone: 'Nothing',
  promptSummary: (parts: readonly string[]) => (parts.length === 0 ? 'Nothing' : list(parts)),
  tokens: (count: string) => `about ${count} tokens`,
  ofContext: (count: string, context: string) => `about ${count} of ${context} tokens`,
  form: 'Form',
  json: 'JSON',
  view: 'View',
  jsonLabel: 'Configuration',
  jsonHelp: 'Every setting as it is stored. Changes here are unsaved changes like any other.',
  readOnly: (refusal: string) => `You can view this agent but not change it. ${refusal}`,
  unknown: 'Settings without a form',
  unknownText:
    'This version has no form for these keys. They are kept as they are, and sent back with every save.',
  removeUnknown: (path: string) => `Remove ${path}`,
  jsonElsewhere: 'Open as JSON',
  toolsSummary: (tools: number, approvals: number) =>
    tools === 0
      ? 'None'
      : `${counted(tools, 'tool', 'tools')}${approvals === 0 ? '' : `, ${approvals} with approval`}`,
  knowledgeSummary: (bases: number) =>
    bases === 0 ? 'None' : counted(bases, 'knowledge base', 'knowledge bases'),
  skillsSummary: (skills: number) => (skills === 0 ? 'None' : counted(skills, 'skill', 'skills')),
  memorySummary: ({ history, summary, facts }: { history: boolean; summary: boolean; facts: boolean }) => {
    const parts = [
      ...(history ? ['Conversation'] : []),
      ...(history && summary ? ['summary'] : []),
      ...(facts ? [history ? 'facts about users' : 'Facts about users'] : []),
    ]
    return parts.length === 0 ? 'Off' : list(parts)
  },
  guardrailsSummary: (input: number, output: number) => {
    const parts = [
      ...(input > 0 ? [`${input} before the model`] : []),
      ...(output > 0 ? [`${output} before the caller`] : []),
    ]
    return parts.length === 0 ? 'None' : list(parts)
  },
  answerText: 'Text',
  answerJson: 'JSON matching a schema',
  limitsSummary: (steps: number, time: string, hasBudget: boolean) =>
    list([counted(steps, 'step', 'steps'), time, ...(hasBudget ? ['with a budget'] : [])]),
  privacySummary: (keeps: boolean, shared: boolean) =>
    list([keeps ? 'Messages are kept' : 'Messages are not kept', ...(shared ? ['offered over MCP'] : [])]),
  advancedSummary: (unknown: number) =>
    unknown === 0 ? 'The configuration as JSON' : counted(unknown, 'unknown setting', 'unknown settings'),
  budget: 'Budget of a run',
  conversation: 'Conversation',
  facts: 'Facts about users',
  factsLink: 'View its memories',
  rerank: 'Rerank with',
  noRerank: 'No reranking',
  schemaMissing: 'Start from an example',
} as const

/** Texts of the preview of a prompt. */
export const promptWords = {
  title: 'What the model sees',
  detail: 'Built by the same code as real runs; no model is called.',
  message: 'User’s message',
  example: 'Hello!',
  failed: 'The prompt could not be shown',
  waiting: 'Some settings need attention first.',
  system: 'System',
  roles: { user: 'User', assistant: 'Assistant', tool: 'Tool' },
  empty: 'There are no instructions yet: the model sees only the message.',
  parts: {
    instructions: 'Instructions',
    'prompt.add_agent_name': 'Agent’s name',
    'prompt.expected_output': 'Expected answer',
    skills: 'Skills',
    'memory.summary': 'Conversation summary',
    'memory.user_memories': 'Facts about the user',
    'prompt.add_datetime': 'Date and time',
    'memory.history': 'Earlier messages',
    knowledge: 'Knowledge passages',
    message: 'Message',
    tools: 'Tools',
    schema: 'Answer format',
    frame: 'Request overhead',
  },
  go: (part: string) => `Go to the setting: ${part}`,
  toolChoice: (choice: string) => `Tool choice: ${choice}`,
  tokens: (tokens: string) => `about ${tokens} tokens`,
  ofContext: (tokens: string, context: string, part: string) =>
    `about ${tokens} of ${context} tokens (${part})`,
  share: (part: string, tokens: string) => `${part}: about ${tokens} tokens`,
  free: 'Left for the conversation and the answer',
  barLabel: 'How the context is used',
  show: 'What the model sees',
  close: 'Close',
  draft: 'Your unsaved changes',
  live: 'Live version',
  goOn: 'Continue the last conversation',
  goOnDetail: 'Includes memory: the summary, earlier messages, and facts about the user.',
  historyLimit: (tokens: string) => `Earlier messages take at most ${tokens} tokens, up to the mark`,
} as const
