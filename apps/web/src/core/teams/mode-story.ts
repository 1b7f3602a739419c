import type { AgentId, CoordinationMode, IdText, TeamConfig } from '@troupe/contract'
import { wholeNumber } from '../format/numbers.ts'
import { teamStoryWords as words } from '../messages/en/teams/story.ts'

/** A participant that the message can reach. */
export interface StoryMember {
  /** `m1`, `m2`, … in the order of the editor; `lead` for a promoted lead that takes work itself. */
  key: string
  agentId: IdText<AgentId>
  name: string
  role: string | null
}

/** A stop of the message beside the members: the message itself, a call of the lead, the answer. */
export interface StoryStation {
  id: string
  kind: 'message' | 'lead' | 'answer'
  title: string
  /** The description of this station; '' for the message and the answer. */
  detail: string
}

/** The number of members of a step. */
export type StoryReach = 'one' | 'some' | 'all'

/**
 * The content that a step carries: the original message, a task written by the lead, a member's result, the plan, a retry, the
 * answer, or an answer that quotes members.
 */
export type StoryCargo = 'message' | 'task' | 'result' | 'plan' | 'again' | 'answer' | 'quotes'

/** One item that moves in a run. */
export interface StoryStep {
  id: string
  /** The id of a station, or `members`. */
  from: string
  to: string
  /** Both ends in words: "The lead → one member". */
  route: string
  /** The moving content. */
  text: string
  when: string
  reach: StoryReach
  cargo: StoryCargo
  /** The number of concurrent members; null: all that it reaches. */
  atOnce: number | null
  /** Whether the run continues after the failure of a member. */
  mayFail: boolean
  /** Happens only in unusual cases: a re-route, another round. */
  isDetour: boolean
}

/** The events of every run of a team, in order. */
export interface ModeStory {
  mode: CoordinationMode
  stations: readonly StoryStation[]
  members: readonly StoryMember[]
  steps: readonly StoryStep[]
  /** Additional inputs of members, by the toggles. */
  notes: readonly string[]
  /** The number of sequential model calls if no member uses tools. */
  calls: { least: number; most: number }
}

/** The name of the managed lead, and of an agent by its id. */
export interface StoryNames {
  lead: string
  agent(agentId: IdText<AgentId>): string
}

const MESSAGE: StoryStation = { id: 'message', kind: 'message', title: words.message, detail: '' }
const ANSWER: StoryStation = { id: 'answer', kind: 'answer', title: words.answer, detail: '' }

/** The story of a configuration. Pure; incomplete configurations have a story, too. */
export function modeStory(config: TeamConfig, names: StoryNames): ModeStory {
  const told = STORIES[config.mode](config, names)
  return { mode: config.mode, ...told, notes: notesOf(config) }
}

type Told = Omit<ModeStory, 'mode' | 'notes'>
type Tell = (config: TeamConfig, names: StoryNames) => Told

const STORIES: Record<CoordinationMode, Tell> = {
  handoff: handoffStory,
  'dynamic-delegation': delegationStory,
  parallel: parallelStory,
  'plan-execute': planStory,
}

function handoffStory(config: TeamConfig, names: StoryNames): Told {
  const { toggles, fallback_member: fallback } = config
  const own = words.handoff
  const members = membersOf(config, names, true)
  const lead = leadStation('lead', words.stations.chooses, names, config)
  const isAsked = members.length > 1
  const fallbackText = fallback === null ? own.noFallback : own.fallback(names.agent(fallback))
  const handed = toggles.auto_member_input
    ? ({ text: own.rewritten, cargo: 'task' } as const)
    : ({ text: own.sealed, cargo: 'message' } as const)
  return {
    stations: isAsked ? [MESSAGE, lead, ANSWER] : [MESSAGE, ANSWER],
    members,
    steps: isAsked
      ? [
          step('asked', 'message', 'lead', { text: own.asked, when: own.first }),
          step('handed', 'lead', 'members', { ...handed, when: `${own.picks}. ${fallbackText}` }),
          step('answered', 'members', 'answer', { text: own.answer, when: own.answered, cargo: 'answer' }),
          step('again', 'members', 'lead', {
            text: own.again,
            when: own.fails,
            cargo: 'again',
            isDetour: true,
          }),
        ]
      : [
          step('handed', 'message', 'members', { text: own.sealed, when: own.only }),
          step('answered', 'members', 'answer', { text: own.answer, when: own.answered, cargo: 'answer' }),
        ],
    // A second choice among the other members happens only if there are several.
    calls: isAsked ? { least: 2, most: members.length > 2 ? 4 : 3 } : { least: 1, most: 1 },
  }
}

function delegationStory(config: TeamConfig, names: StoryNames): Told {
  const { limits, toggles, lead_may_answer_directly: mayAnswer } = config
  const own = words.delegation
  const { lead_max_steps: steps, max_delegations: most, max_concurrent_members: atOnce } = limits
  const rounds = own.rounds(steps, most, atOnce)
  return {
    stations: [MESSAGE, leadStation('lead', words.stations.delegates, names, config), ANSWER],
    members: membersOf(config, names, false),
    steps: [
      step('asked', 'message', 'lead', { text: own.asked, when: own.first }),
      step('delegated', 'lead', 'members', {
        text: toggles.auto_member_input ? own.tasks : own.sealed,
        when: mayAnswer ? rounds : `${rounds}. ${own.must}`,
        cargo: toggles.auto_member_input ? 'task' : 'message',
        reach: 'some',
        atOnce,
      }),
      step('returned', 'members', 'lead', {
        text: own.results,
        when: own.returned,
        cargo: 'result',
        reach: 'some',
        atOnce,
        mayFail: true,
      }),
      step('answered', 'lead', 'answer', {
        text: own.answer,
        when: mayAnswer ? own.direct : own.late,
        cargo: 'quotes',
      }),
    ],
    calls: { least: mayAnswer ? 1 : 3, most: 2 * steps - 1 },
  }
}

function parallelStory(config: TeamConfig, names: StoryNames): Told {
  const own = words.parallel
  const members = membersOf(config, names, false)
  const rewrites = config.toggles.auto_member_input
  const joins = leadStation('synthesis', words.stations.joins, names, config)
  const reach = 'all'
  const last = [
    step('returned', 'members', 'synthesis', {
      text: own.results,
      when: own.enough(config.min_successful_members, members.length),
      cargo: 'result',
      reach,
      mayFail: config.min_successful_members < members.length,
    }),
    step('answered', 'synthesis', 'answer', { text: own.answer, when: own.last, cargo: 'answer' }),
  ]
  if (!rewrites) {
    return {
      stations: [MESSAGE, joins, ANSWER],
      members,
      steps: [step('asked', 'message', 'members', { text: own.sealed, when: own.atOnce, reach }), ...last],
      calls: { least: 2, most: 2 },
    }
  }
  return {
    stations: [MESSAGE, leadStation('lead', words.stations.asks, names, config), joins, ANSWER],
    members,
    steps: [
      step('read', 'message', 'lead', { text: own.asked, when: own.first }),
      step('asked', 'lead', 'members', { text: own.request, when: own.atOnce, cargo: 'task', reach }),
      ...last,
    ],
    calls: { least: 3, most: 3 },
  }
}

function planStory(config: TeamConfig, names: StoryNames): Told {
  const { max_iterations: rounds, max_concurrent_members: atOnce } = config.limits
  const own = words.plan
  const station = (id: string, detail: string) => leadStation(id, detail, names, config)
  return {
    stations: [
      MESSAGE,
      station('plan', words.stations.plans),
      station('review', words.stations.reviews),
      station('report', words.stations.reports),
      ANSWER,
    ],
    members: membersOf(config, names, true),
    steps: [
      step('asked', 'message', 'plan', { text: own.asked, when: own.first }),
      step('tasks', 'plan', 'members', {
        text: config.toggles.auto_member_input ? own.tasks : own.sealed,
        when: own.rounds(rounds, atOnce),
        cargo: config.toggles.auto_member_input ? 'task' : 'message',
        reach: 'some',
        atOnce,
      }),
      step('results', 'members', 'review', {
        text: own.results,
        when: own.reviewed,
        cargo: 'result',
        reach: 'some',
        atOnce,
        mayFail: true,
      }),
      step('again', 'review', 'plan', { text: own.again, when: own.open, cargo: 'again', isDetour: true }),
      step('done', 'review', 'report', { text: own.done, when: own.stopped, cargo: 'plan' }),
      step('answered', 'report', 'answer', { text: own.answer, when: own.last, cargo: 'answer' }),
    ],
    calls: { least: 4, most: 2 + 2 * rounds },
  }
}

interface Move {
  text: string
  when: string
  /** Absent: the message. */
  cargo?: StoryCargo
  reach?: StoryReach
  atOnce?: number
  mayFail?: boolean
  isDetour?: boolean
}

function step(id: string, from: string, to: string, move: Move): StoryStep {
  const { reach = 'one' } = move
  const route = words.route(capitalized(placeName(from, reach)), placeName(to, reach))
  const usual = { cargo: 'message', reach, atOnce: null, mayFail: false, isDetour: false } as const
  return { ...usual, ...move, id, from, to, route }
}

function placeName(place: string, reach: StoryReach): string {
  if (place === 'members') return words.places[reach]
  return isNamedPlace(place) ? words.places[place] : words.places.lead
}

type NamedPlace = 'message' | 'answer' | 'plan' | 'review' | 'report'

function isNamedPlace(place: string): place is NamedPlace {
  return Object.hasOwn(words.places, place)
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function leadStation(id: string, detail: string, names: StoryNames, { lead }: TeamConfig): StoryStation {
  const title = 'agent' in lead ? names.agent(lead.agent) : names.lead
  return { id, kind: 'lead', title, detail }
}

/** The members in the order of the editor; a promoted lead that takes work itself is the last. */
function membersOf({ lead, members }: TeamConfig, names: StoryNames, isLeadIn: boolean): StoryMember[] {
  const own = members.map(({ agent, role }, index) => ({
    key: `m${index + 1}`,
    agentId: agent,
    name: names.agent(agent),
    role,
  }))
  if (!isLeadIn || !('agent' in lead)) return own
  return [...own, { key: 'lead', agentId: lead.agent, name: names.agent(lead.agent), role: words.itself }]
}

function notesOf({ mode, toggles, limits, members_keep_own_history: keepsOwn }: TeamConfig): string[] {
  const { notes } = words
  const shared = {
    handoff: notes.retried,
    'dynamic-delegation': notes.interactions,
    parallel: null,
    'plan-execute': notes.results,
  }[mode]
  return [
    toggles.members_see_team_history ? notes.history(wholeNumber(limits.history_tokens)) : null,
    toggles.share_member_interactions ? shared : null,
    toggles.add_team_name ? notes.name : null,
    toggles.add_datetime ? notes.time : null,
    keepsOwn ? notes.ownHistory : null,
  ].filter((note) => note !== null)
}
