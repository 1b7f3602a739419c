import { counted, wholeNumber } from '../../format/numbers.ts'

/** Texts that the lists of agents, teams and workflows share. */
export const listWords = {
  name: 'Name',
  status: 'Status',
  week: 'Runs, 7 d',
  lastRun: 'Last run',
  /** For agents and teams, whose runs in the playground are not counted. */
  lastCall: 'Last call',
  never: 'Never',
  notCalled: 'Not called yet',
  cost: 'Cost, 7 d',
  usedBy: 'Used by',
  andMore: (count: number) => `and ${count} more`,
  changed: 'Changed',
  changedBy: (name: string) => `by ${name}`,
  quiet: 'No runs',
  noneEnded: 'None ended',
  /** `isCut`: more runs than are counted. */
  weekOfRuns: (runs: number, isCut: boolean, failed: number) =>
    `${isCut ? 'At least ' : ''}${counted(runs, 'run', 'runs')} in seven days, ${failed === 0 ? 'none' : wholeNumber(failed)} failed`,
  failedToday: (count: number) => `${wholeNumber(count)} failed`,
  previous: 'Previous page',
  next: 'Next page',
  pages: (page: number, pages: number) => `Page ${page} of ${pages}`,
  version: 'Version',
  startFromExample: 'Start from an example',
} as const

export const agentWords = {
  title: 'Agents',
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
  statuses: { draft: 'Draft', active: 'Active', archived: 'Archived' },
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

export const teamWords = {
  title: 'Teams',
  one: 'Team',
  detail: 'Agents under one lead, who hands over, delegates, asks all at once, or works through a plan.',
  failed: 'The teams could not be loaded',
  search: 'Find a team',
  mode: 'Mode',
  agents: 'Agents',
  agentCount: (count: number) => counted(count, 'agent', 'agents'),
  modes: {
    handoff: 'Handoff',
    'dynamic-delegation': 'Dynamic delegation',
    parallel: 'Parallel',
    'plan-execute': 'Plan and execute',
  },
  emptyTitle: 'No teams yet',
  empty: 'A team combines agents that each do one thing well.',
  noneTitle: 'No team matches',
  none: 'Try another word, or all projects.',
} as const

export const workflowWords = {
  title: 'Workflows',
  detail: 'Graphs of steps that a call, a form or a schedule starts.',
  failed: 'The workflows could not be loaded',
  search: 'Find a workflow',
  published: 'Published',
  triggers: 'Triggers',
  triggerNames: {
    'manual-trigger': 'Manual trigger',
    'http-request': 'HTTP Request',
    'form-trigger': 'Form Trigger',
    recurrence: 'Recurrence',
  },
  nextFire: 'Next start',
  lastFailure: 'The last failure',
  openFailure: 'Open the failed run',
  changes: 'Unpublished changes',
  changesBy: (name: string) => `Changes by ${name}`,
  actions: (name: string) => `Actions for ${name}`,
  emptyTitle: 'No workflows yet',
  empty: 'A workflow connects agents, teams and other steps.',
  noneTitle: 'No workflow matches',
  none: 'Try another word, or all projects.',
} as const
