import { counted } from '../../../format/numbers.ts'
import { agentNameWords } from './agent-names.ts'

/** Texts about agents, and of their list. */
export const agentWords = {
  ...agentNameWords,
  detail:
    'One model with instructions, tools, knowledge and memory. Callers run it through the API; teams and workflows use it.',
  failed: 'The agents could not be loaded',
  search: 'Find an agent',
  model: 'Model',
  defaultModel: 'Default model',
  withFallbacks: (count: number) => ` +${count}`,
  create: 'New agent',
  createFailed: 'The agent was not created',
  createAction: 'Create agent',
  nameLabel: 'Name',
  nameDetail:
    'You can change everything later. A new agent is a draft: it answers every caller, and teams and workflows that use it say that it is one.',
  emptyTitle: 'No agents yet',
  empty: 'An agent answers with a model, in your words and with your tools.',
  noneTitle: 'No agent matches',
  none: 'Try another word, or all projects and states.',
  anyStatus: 'All states',
  activeVersion: (version: number | null) => (version === null ? 'Active' : `Active · v${version}`),
  chosen: (count: number, elsewhere: number) =>
    `${counted(count, 'agent', 'agents')} selected${elsewhere === 0 ? '' : `, ${elsewhere} not on this page`}`,
  clearChosen: 'Clear selection',
  exportChosen: 'Export as bundle',
  archiveChosen: (count: number) => `Archive ${count}`,
  archiveTitle: (count: number) => `Archive ${counted(count, 'agent', 'agents')}?`,
  archiveText: 'Archived agents answer no calls. Each can be reopened.',
  archiveKept: (names: readonly string[]) =>
    `Agents in use are not archived: ${names.join(', ')}. Remove them first where they are used.`,
  archiveRefused: (count: number) =>
    count === 1 ? 'The agent cannot be archived yet' : `The ${count} agents cannot be archived yet`,
  archiveUsers: 'These would fail without them. Remove them there first:',
  archiveDone: (count: number) => `${counted(count, 'agent', 'agents')} archived`,
  archiveFailed: (name: string) => `${name} was not archived`,
  instructionsLabel: 'Instructions',
  example: {
    name: 'Support',
    instructions:
      'You answer questions of customers, in their language.\n\n- Ask back when a question can mean two things.\n- Say when you do not know something. Never guess prices or dates.\n- End with one next step.',
  },
} as const
