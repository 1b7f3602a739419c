/** Texts of Home. */
export const homeWords = {
  title: 'Home',
  greeting: (hour: number, name: string) => {
    const part =
      hour < 5 ? 'Good night' : hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening'
    return `${part}, ${name}`
  },
  needsYou: 'Needs you',
  nothing: 'Nothing needs you',
  nothingDetail: 'Reviews, failures, budgets above 80% and keys that expire soon would be here.',
  first: 'First steps',
  firstDetail: 'Each of them takes a minute or two. They go away when they are done.',
  steps: {
    model: ['Connect a model', 'Enter a key of your provider and test it.'],
    agent: ['Build an agent', 'Name it, write its instructions, talk to it.'],
    team: ['Put agents together', 'A team hands over, delegates, or works in parallel.'],
    key: ['Call it from your code', 'Make an API key: it is shown once, inside a working curl.'],
    members: ['Invite a colleague', 'Viewers read, members build, reviewers only approve.'],
  },
} as const
