import { counted, wholeNumber } from '../../../format/numbers.ts'

/** Texts of Home. */
export const homeWords = {
  title: 'Home',
  greeting: (hour: number, name: string) => {
    const part =
      hour < 5 ? 'Hello' : hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening'
    return `${part}, ${name}`
  },
  failed: 'Your open items could not be loaded',
  needsYou: 'Needs you',
  nothing: 'Nothing needs you',
  nothingDetail: 'Reviews, failures, budgets above 80% and keys that expire soon appear here.',
  deleted: 'deleted',
  review: (workflow: string) => `Review · ${workflow || 'a deleted workflow'}`,
  /** Before a time: "due in 2 hours". */
  dueWord: 'due',
  approval: (agent: string, tool: string) => `${agent || 'A deleted agent'} wants to call ${tool}`,
  approvalDetail: 'Approval of a tool call',
  failures: (count: number) => counted(count, 'failure', 'failures'),
  budget: (share: string, metric: string) => `${share} of the budget for ${metric} is used`,
  budgetOf: (project: string | null) => project ?? 'The whole organization',
  metrics: {
    workflow_runs: 'workflow runs',
    llm_tokens: 'tokens',
    llm_cost_usd: 'model cost',
    voice_minutes: 'voice minutes',
  },
  unpriced: (name: string, count: number) =>
    `${name} has ${counted(count, 'model', 'models')} without a price`,
  unpricedDetail: 'A budget in US dollars refuses their runs. Enter prices, or delete the budget.',
  schedule: (workflow: string, count: number, outcome: 'missed' | 'skipped') =>
    `${workflow} ${outcome} ${counted(count, 'scheduled run', 'scheduled runs')}`,
  key: (name: string) => `The API key ${name} expires`,
  keyDetail: 'Rotate it: both keys work for a while.',
  model: (name: string) => `${name} fails`,
  modelDetail: (failed: number, calls: number) =>
    `${failed} of ${counted(calls, 'call', 'calls')} in the last hour`,
  day: {
    title: 'The last 24 hours',
    runs: 'Runs',
    lastDay: 'last 24 hours',
    success: 'Success',
    failed: (count: number) => (count === 0 ? 'no failures' : counted(count, 'failure', 'failures')),
    p95: 'Duration, p95',
    p95Detail: 'of completed runs',
    cost: 'Cost',
    atLeast: (text: string) => `≥ ${text}`,
  },
  edited: 'Recently edited',
  kinds: { agent: 'Agent', team: 'Team', workflow: 'Workflow' },
  running: 'Running now',
  runningDetail: (count: number) => counted(count, 'run', 'runs'),
  latest: 'Latest runs',
  noRuns: 'No runs yet.',
  /** Consecutive runs of the same resource with the same result. */
  inARow: (count: number) => `${wholeNumber(count)} in a row`,
  allRuns: 'All runs',
  outOfBudget: (metric: string) => `Waits: the budget for ${metric} is used up`,
  first: 'First steps',
  firstDetail: 'Each step disappears when you complete it.',
  steps: {
    llmConfiguration: ['Connect a model', 'Enter a key of your provider and test it.'],
    agent: ['Build an agent', 'Name it, write its instructions, talk to it.'],
    run: ['Talk to an agent', 'Ask it something in its playground and watch it answer.'],
    apiKey: ['Call it from your code', 'Create an API key: it is shown once, inside a working curl.'],
    colleague: [
      'Invite a colleague',
      'Members build, viewers read and decide reviews, reviewers only decide reviews.',
    ],
  },
} as const
