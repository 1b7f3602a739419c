import { counted } from '../../../format/numbers.ts'

/** Texts about teams, and of their list. */
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
