import type { MemberLane, RunView } from '../runs/run-view.ts'
import type { ModeStory } from './mode-story.ts'
import type { StoryTaken } from './story-layout.ts'

/** The activity of a participant during a run, or until its end. */
export type PlaceState = 'waiting' | 'working' | 'done' | 'failed' | 'stopped'

/** The position of a run in the diagram of its mode. */
export interface RunPlaces {
  /** The states of the lead's calls, by the id of their station; absent: the run ended before it. */
  stations: Readonly<Record<string, PlaceState>>
  /** By the id of the agent; absent: not reached. */
  members: Readonly<Record<string, PlaceState>>
  taken: StoryTaken
}

const LANE_STATES: Record<MemberLane['state'], PlaceState> = {
  running: 'working',
  completed: 'done',
  failed: 'failed',
  cancelled: 'stopped',
}

/** For the lead's model calls at the station `lead`; every other station has the name of its call. */
const LEAD_PURPOSES: Record<ModeStory['mode'], string> = {
  handoff: 'route',
  'dynamic-delegation': 'chat',
  parallel: 'broadcast',
  'plan-execute': 'plan',
}

/** The position of a run in its story: only completed steps are done, and only used ways are taken. */
export function runPlaces(story: ModeStory, run: RunView): RunPlaces {
  const leads = story.stations.filter(({ kind }) => kind === 'lead')
  const states = leads.map(({ id }) => [id, stationState(purposeOf(story, id), run)] as const)
  const stations = Object.fromEntries(states.flatMap(([id, state]) => (state === null ? [] : [[id, state]])))
  const lanes = run.lanes.flatMap(({ agentId, state }) =>
    agentId === null ? [] : [[agentId, state] as const],
  )
  const members = Object.fromEntries(lanes.map(([agentId, state]) => [agentId, LANE_STATES[state]]))
  const isReached = (id: string) => stations[id] !== undefined && stations[id] !== 'waiting'
  return {
    stations,
    members,
    taken: {
      stations: new Set([
        'message',
        ...leads.map(({ id }) => id).filter(isReached),
        ...(run.end?.kind === 'completed' ? ['answer'] : []),
      ]),
      members: new Set(story.members.filter(({ agentId }) => agentId in members).map(({ key }) => key)),
    },
  }
}

function purposeOf({ mode }: ModeStory, stationId: string): string {
  return stationId === 'lead' ? LEAD_PURPOSES[mode] : stationId
}

/** null: the run ended before the call was made. */
function stationState(purpose: string, { own, end }: RunView): PlaceState | null {
  if (own.purpose === purpose) return 'working'
  if (own.answered.includes(purpose)) return 'done'
  if (end === null) return 'waiting'
  // If a run's events are unknown, only its end is shown.
  if (end.kind === 'completed') return own.asked.length === 0 ? 'done' : null
  if (!own.asked.includes(purpose)) return null
  return end.kind === 'failed' ? 'failed' : 'stopped'
}
