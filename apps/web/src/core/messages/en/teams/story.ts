import { counted } from '../../../format/numbers.ts'

/** The events of a team's run in words. They are shown beside the diagram and are its text for screen readers. */
export const teamStoryWords = {
  message: 'Message',
  answer: 'Answer',
  route: (from: string, to: string) => `${from} → ${to}`,
  stations: {
    chooses: 'chooses one',
    delegates: 'delegates',
    asks: 'writes one request',
    joins: 'combines the answers',
    plans: 'makes a plan',
    reviews: 'reviews the round',
    reports: 'writes the report',
  },
  places: {
    message: 'the message',
    answer: 'the answer',
    one: 'one member',
    some: 'the members it names',
    all: 'every member',
    lead: 'the lead',
    plan: 'the plan',
    review: 'the review',
    report: 'the report',
  },
  itself: 'the lead itself',
  handoff: {
    asked: 'The lead reads the message and the last six turns.',
    first: 'First',
    only: 'There is only one candidate, so the lead is not called',
    rewritten: 'A task that the lead writes: it stands alone and keeps every requirement.',
    sealed: 'The message, sealed: not a word of it changes.',
    picks: 'The lead picks exactly one',
    fallback: (name: string) => `Without a valid choice, the message goes to ${name}`,
    noFallback: 'Without a valid choice, the run fails: no fallback member is set',
    answer: 'The member’s own text, byte for byte. The lead writes nothing.',
    answered: 'The member has answered',
    again: 'Another member takes over, once.',
    fails: 'The member fails before it has used a tool',
  },
  delegation: {
    asked: 'The lead reads the message and the conversation.',
    first: 'First',
    tasks: 'A task for each member that it needs.',
    sealed: 'The message, unchanged, to each member that it needs.',
    rounds: (steps: number, delegations: number, atOnce: number) =>
      `In up to ${steps} steps, ${delegations} delegations in all, ${atOnce} at a time`,
    must: 'Its first step must delegate',
    results: 'The answer of each member, or its failure.',
    returned: 'Each time the members of a step have answered',
    answer: 'One answer. [[result:…]] on a line of its own quotes a member word for word.',
    direct: 'When the lead needs no member, possibly at once',
    late: 'When the lead needs no more members',
  },
  parallel: {
    asked: 'The lead reads the message and the conversation.',
    first: 'First',
    request: 'One request, the same for all of them.',
    sealed: 'The message, unchanged, the same for all of them.',
    atOnce: 'In parallel; members do not see each other’s work',
    results: 'Every answer, and every failure.',
    enough: (least: number, count: number) =>
      count === 0
        ? 'Enough members answered; with none the run fails'
        : least <= 1
          ? `At least one of ${count} answered; with none the run fails`
          : `At least ${least} of ${count} answered; with fewer the run fails`,
    answer: 'One answer by topic: where they agree, contradict each other, or are missing.',
    last: 'At the end',
  },
  plan: {
    asked: 'The lead reads the message.',
    first: 'First',
    tasks: 'Tasks whose dependencies are done.',
    sealed: 'The message, unchanged, with the task beside it.',
    rounds: (iterations: number, atOnce: number) =>
      `In up to ${counted(iterations, 'round', 'rounds')}, ${atOnce} at a time`,
    results: 'Results, as evidence for each criterion.',
    reviewed: 'After each round',
    again: 'Adds, retries or cancels tasks; three attempts each.',
    open: 'A criterion is not met yet',
    done: 'The plan with all its results.',
    stopped: 'Every criterion is met, or the round limit is reached, or no task makes progress',
    answer: 'The report, and a last line that the engine writes: “Goal completed: yes” or why not.',
    last: 'At the end',
  },
  notes: {
    history: (tokens: string) => `Members also read the team’s earlier turns, up to ${tokens} tokens.`,
    interactions: 'Members also read the tasks and answers of other members in this run.',
    retried: 'A second member reads the failure of the first one.',
    results: 'Members also read the results of completed tasks they do not depend on.',
    name: 'All agents read the name of the team.',
    time: 'All agents read the date and time.',
    ownHistory: 'Members remember their own work in this session.',
  },
  calls: (least: number, most: number) =>
    least === most
      ? `${counted(least, 'model call', 'model calls')} one after the other.`
      : `${least} to ${counted(most, 'model call', 'model calls')} one after the other.`,
  title: 'Steps of a run',
  picture: 'Lead and members',
  notesTitle: 'Additional context for members',
  states: { waiting: 'waiting', working: 'working', done: 'done', failed: 'failed', stopped: 'stopped' },
  stateOf: (name: string, state: string) => `${name}: ${state}`,
  memberTitle: (name: string, role: string | null) => (role === null ? name : `${name}: ${role}`),
  noMembers: 'No members yet',
  callsDetail: 'More when members use tools.',
} as const
