const LEAD = ['lead', 'members', 'toggles.add_team_name', 'toggles.add_datetime', 'memory']
const REWRITE = 'toggles.auto_member_input'
const MEMBER = [
  'members',
  REWRITE,
  'toggles.members_see_team_history',
  'toggles.share_member_interactions',
  'toggles.add_team_name',
  'toggles.add_datetime',
  'members_keep_own_history',
  'limits.history_tokens',
]

/** When a call happens in a run, and the settings that change this. */
interface CallStory {
  /** The prefix of the step's key. */
  key: RegExp
  when: string
  dependsOn: readonly string[]
}

const STORIES: readonly CallStory[] = [
  {
    key: /^route:0$/,
    when: 'First: the lead chooses the member that answers.',
    dependsOn: [...LEAD, REWRITE],
  },
  {
    key: /^broadcast$/,
    when: 'First: the lead writes one request for all members.',
    dependsOn: [...LEAD, REWRITE],
  },
  { key: /^plan$/, when: 'First: the lead makes the plan.', dependsOn: LEAD },
  {
    key: /^step:0$/,
    when: 'First: the lead delegates, or answers itself.',
    dependsOn: [...LEAD, REWRITE, 'lead_may_answer_directly'],
  },
  {
    key: /^step:/,
    when: 'After the members have answered: the lead delegates again, or answers.',
    dependsOn: [...LEAD, REWRITE],
  },
  { key: /^member:/, when: 'When the message reaches this member.', dependsOn: MEMBER },
  { key: /^call:/, when: 'When the lead delegates to this member.', dependsOn: MEMBER },
  { key: /^task:/, when: 'When a task of the plan is this member’s.', dependsOn: MEMBER },
  {
    key: /^review:/,
    when: 'After each round of tasks: the lead assesses the plan.',
    dependsOn: [...LEAD, 'limits.max_iterations'],
  },
  {
    key: /^synthesis$/,
    when: 'After every member has answered: the lead writes the answer.',
    dependsOn: [...LEAD, 'min_successful_members', 'output'],
  },
  { key: /^report$/, when: 'At the end: the lead reports.', dependsOn: [...LEAD, 'output'] },
]

/** When a call happens in a run, and the settings that change this. */
export function storyOf(key: string): Omit<CallStory, 'key'> {
  return STORIES.find((story) => story.key.test(key)) ?? { when: 'During the run.', dependsOn: LEAD }
}
