import type { CoordinationMode, TeamToggle } from '@troupe/contract'
import { counted, wholeNumber } from '../../../format/numbers.ts'

type PerMode = Record<CoordinationMode, string>

/** The use of each mode, where it is chosen. */
const modeDetails: PerMode = {
  handoff: 'The lead picks one member, and its text is the answer. Fast: two calls.',
  'dynamic-delegation': 'The lead assigns tasks as it sees fit, and writes one answer from the results.',
  parallel: 'Every member works on the same request at once; the lead combines their answers.',
  'plan-execute': 'The lead makes a plan, members work through it, and the engine checks the goal.',
}

/** The additional work of a promoted lead. */
const promotedParts: PerMode = {
  handoff: 'It chooses who answers, and may choose itself.',
  'dynamic-delegation': 'It delegates, and works with its own tools and knowledge, too.',
  parallel: 'It combines the members’ answers and adds none of its own.',
  'plan-execute': 'It plans and reviews, and can take tasks itself.',
}

/** The effect of each position of a toggle. */
const toggleDetails: Record<TeamToggle, PerMode> = {
  auto_member_input: {
    handoff:
      'On: the lead writes a self-contained task. Off: the member gets the caller’s message unchanged.',
    'dynamic-delegation': 'On: a task for each member. Off: the message, unchanged.',
    parallel: 'On: one request for all. Off: the message, unchanged, and one call fewer.',
    'plan-execute': 'On: the task of the plan. Off: the message with the task beside it.',
  },
  share_member_interactions: {
    handoff: 'Applies only when a second member takes over from a failed one.',
    'dynamic-delegation': 'Earlier events of this run.',
    parallel: 'Has no effect here: all members work at the same time.',
    'plan-execute': 'The results of all completed tasks, not only of those that a task depends on.',
  },
  members_see_team_history: perMode(
    'Messages and answers of earlier runs in the session. Off: only the lead knows them.',
  ),
  add_team_name: perMode('One line in the prompt of the lead and of each member.'),
  add_datetime: perMode('One line at the end of each prompt, in UTC.'),
}

function perMode(text: string): PerMode {
  return { handoff: text, 'dynamic-delegation': text, parallel: text, 'plan-execute': text }
}

export const teamPageWords = {
  failed: 'The team could not be loaded',
  goneTitle: 'Team not found',
  gone: 'It was deleted, or it belongs to another organization.',
  allTeams: 'All teams',
  tabs: { editor: 'Editor', playground: 'Playground', versions: 'Versions', use: 'Use' },
  tabsLabel: 'Team sections',
  sections: 'Sections',
  actions: 'More actions',
  unsaved: 'Unsaved changes',
  readOnly: (refusal: string) => `You can view this team but not change it. ${refusal}`,
  oddDraft:
    'Your unsaved edit cannot be opened in this version of the builder. The saved team is shown instead.',
  create: {
    button: 'New team',
    title: 'New team',
    action: 'Create team',
    failed: 'The team was not created',
    name: 'Name',
    mode: 'How it works',
    members: 'Members',
    membersDetail: 'Two or more. You can change everything later.',
    /** null: nothing is missing. */
    missing: (hasName: boolean, members: number) => {
      const parts = [
        ...(hasName ? [] : ['a name']),
        ...(members === 0 ? [] : [counted(members, 'member', 'members')]),
      ]
      return parts.length === 0 ? null : `Still missing: ${parts.join(' and ')}`
    },
    fewAgents: 'A team needs two agents, and there are not two here yet.',
    makeAgents: 'Go to agents',
    example: 'Help desk',
  },
  about: {
    title: 'Name and purpose',
    name: 'Name',
    description: 'Description',
    descriptionDetail: 'Its purpose. Tools and workflows that use the team show it.',
  },
  mode: {
    title: 'Mode',
    detail: 'How lead and members divide the work. Callers never choose it.',
    label: 'Mode',
    details: modeDetails,
    ignores: (mode: string, settings: string) => `${mode} ignores these settings: ${settings}.`,
    kept: 'The values are kept and apply again if you switch back.',
    fallbackGone: (name: string, mode: string) =>
      `${name} is no longer the fallback member: ${mode} has none. It comes back with Handoff.`,
  },
  story: {
    title: 'How it runs',
    detail: (mode: string) => `A run in the mode ${mode}, as it is set here.`,
    prompts: 'All prompts',
    play: 'Play',
    stop: 'Stop',
    took: (runs: number, tokens: string, time: string) =>
      `Median of the last ${counted(runs, 'run', 'runs')}: ${tokens} tokens, ${time}.`,
    runs: 'Show them',
  },
  lead: {
    title: 'Lead',
    detail: 'Decides; in most modes it also writes the answer.',
    kind: 'Who leads',
    managed: 'A lead of its own',
    managedDetail: 'A model with instructions that belongs to this team only.',
    promoted: 'One of your agents',
    promotedDetail: 'Leads with its own model, instructions and memory settings.',
    agent: 'Agent',
    parts: promotedParts,
    model: 'Model',
    managedName: 'The lead',
    alone: 'Only one member works beside this lead, so there is nothing to compare or combine.',
  },
  members: {
    title: 'Members',
    detail: 'Agents in the order that the lead sees. A role is the purpose of an agent in this team.',
    list: 'Members in their order',
    add: 'Add a member',
    addPlaceholder: 'Find an agent by its name',
    role: (name: string) => `Role of ${name}`,
    rolePlaceholder: 'Role: its purpose in this team',
    up: (name: string) => `Move ${name} up`,
    down: (name: string) => `Move ${name} down`,
    remove: (name: string) => `Remove ${name}`,
    moved: (name: string, place: number) => `${name} is now member ${place}`,
    none: 'No members yet. Find the first agent below.',
    unknown: 'A deleted agent',
    draft: 'It is a draft: the team runs it anyway, as it is now.',
    archived: 'It is archived, and a team cannot use it.',
    contextKey: (tool: string, key: string) =>
      `Its tool ${tool} needs ${key} from the caller. Runs of a team carry no such values, so the tool will fail.`,
    draftMark: 'Draft',
    archivedMark: 'Archived',
    already: 'Already a member',
    leads: 'Leads the team',
    count: (count: number) => counted(count, 'member', 'members'),
  },
  toggles: {
    title: 'Behavior',
    detail: 'Each switch changes prompts. Preview the added text and its cost before you turn it on.',
    details: toggleDetails,
    show: 'See the prompts',
    showOf: (label: string) => `See the prompts of: ${label}`,
  },
  choices: { title: 'Answer', detail: 'Rules for the answer, and its format.' },
  limits: { title: 'Limits', detail: 'Bounds on time, steps and cost.' },
  memory: { title: 'Memory', detail: 'Context from the session and facts about the user.' },
  more: {
    title: 'Access and guardrails',
    detail: 'Access over MCP, and rules for the message and the answer.',
  },
  prompts: {
    title: 'The exact prompts',
    toggleTitle: (label: string) => `Prompts: ${label}`,
    detail:
      'Built by the same code as real runs. ‹Angle quotes› mark text that a model would write; no model is called and nothing is stored.',
    message: 'Caller’s message',
    sample: 'Where is my order 4711, and can I still change the address?',
    refresh: 'Show',
    failed: 'The prompts could not be created',
    off: 'Off',
    on: 'On',
    compare: 'Off → On',
    show: 'Show',
    costs: (tokens: number) =>
      tokens === 0
        ? 'Costs no tokens.'
        : tokens > 0
          ? `Turned on, it costs about ${wholeNumber(tokens)} more input tokens over all calls.`
          : `Turned on, it saves about ${wholeNumber(-tokens)} input tokens over all calls.`,
    goOn: 'Continue the last conversation of the playground',
    noChangeHistory:
      'This has no effect on a new conversation. Talk to the team in the playground first, then continue that conversation here.',
    noChangeShared:
      'This takes effect only when a member works after others, as in a later round of a plan. The preview has one round, so it cannot show the change or its cost.',
    noChange: 'No prompt changes, with this message and these members.',
    same: (count: number) => `${counted(count, 'call', 'calls')} stay the same`,
    added: 'Only when on',
    removed: 'Only when off',
    changed: 'Changes',
    tokens: (count: number) => counted(count, 'token', 'tokens'),
    tokenChange: (count: number) =>
      count > 0 ? `+${wholeNumber(count)} tokens` : `−${wholeNumber(-count)} tokens`,
    total: (calls: number, tokens: number) =>
      `${counted(calls, 'call', 'calls')}, about ${counted(tokens, 'input token', 'input tokens')} in all.`,
    place: (place: number, name: string) => `${place}. ${name}`,
    by: (name: string, role: string) => (role === 'lead' ? `${name} · lead` : name),
    parts: {
      system: 'System',
      user: 'User',
      assistant: 'Assistant',
      tool: 'Tool result',
      tools: 'Tools',
      schema: 'Answer format',
    },
    toolLine: (name: string, description: string) => (description === '' ? name : `${name}: ${description}`),
    calls: (name: string, text: string) => `calls ${name} ${text}`,
    mustCall: (name: string) => `(must call ${name})`,
    invalid: 'Fix the errors first. Prompts can only be shown for a valid team.',
  },
  duplicate: {
    action: 'Duplicate…',
    done: (name: string) => `“${name}” was created`,
    failed: 'The copy was not created',
  },
  export: { action: 'Export as bundle' },
  delete: {
    action: 'Delete…',
    title: (name: string) => `Delete “${name}”?`,
    text: 'Calls to it are refused from now on. Its versions are deleted; its runs and sessions stay. This cannot be undone.',
    confirm: 'Delete team',
    failed: 'The team was not deleted',
    done: (name: string) => `“${name}” was deleted`,
    refused: (name: string) => `“${name}” cannot be deleted yet`,
    used: 'These would fail without it. Remove it there first, and publish:',
  },
} as const
