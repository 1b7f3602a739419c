import { type Curve, reversed, type Spot } from './curve.ts'
import type { ModeStory, StoryMember, StoryStation, StoryStep } from './mode-story.ts'

/** Height of a station and of a member, in pixels. */
export const STATION_PX = 44
export const MEMBER_PX = 40
const STATION_GAP_PX = 42
const MEMBER_GAP_PX = 8
/** Distance of two lines at the same side of a station, and of a member. */
const STATION_PORT_PX = 22
const MEMBER_PORT_PX = 12

/**
 * Stations are between `stationStart` and `stationEnd`, members from `memberStart` to the end; percent of the width.
 */
export const STORY_COLUMNS = { stationStart: 7, stationEnd: 43, memberStart: 61 } as const
const { stationStart, stationEnd, memberStart } = STORY_COLUMNS
const STATION_MIDDLE = (stationStart + stationEnd) / 2

/** One line of the picture. */
export interface StoryLine {
  step: StoryStep
  /** From the departure of the message to its arrival. */
  curve: Curve
  /** Whether the message takes this line; others could be taken. */
  isLit: boolean
  /** The key of the member at one end; null between stations. */
  memberKey: string | null
  /** The point of the arrow. */
  tip: Spot & { direction: 'down' | 'left' | 'right' }
}

/** The parts reached by the message of a run. */
export interface StoryTaken {
  /** By their id. */
  stations: ReadonlySet<string>
  /** By their key. */
  members: ReadonlySet<string>
}

/** The positions in the diagram of a story. */
export interface StoryLayout {
  /** In pixels. */
  height: number
  stations: readonly { station: StoryStation; top: number }[]
  members: readonly { member: StoryMember; top: number }[]
  lines: readonly StoryLine[]
  /** The number of each step, on its line. */
  marks: readonly (Spot & { step: StoryStep; number: number })[]
}

/**
 * Lays out the diagram of a story: stations on the left, from top to bottom, members on the right.
 *
 * @param taken the parts reached by the message of a run; null: the first member for a story that reaches one, else all
 */
export function storyLayout(story: ModeStory, taken: StoryTaken | null = null): StoryLayout {
  const { stations, members, steps } = story
  const stationsHeight = stations.length * (STATION_PX + STATION_GAP_PX) - STATION_GAP_PX
  const membersHeight = Math.max(0, members.length * (MEMBER_PX + MEMBER_GAP_PX) - MEMBER_GAP_PX)
  const height = Math.max(stationsHeight, membersHeight)
  const stationGap = (height - STATION_PX) / Math.max(1, stations.length - 1)
  const membersTop = (height - membersHeight) / 2
  const placed = {
    stations: stations.map((station, index) => ({ station, top: index * stationGap })),
    members: members.map((member, index) => ({
      member,
      top: membersTop + index * (MEMBER_PX + MEMBER_GAP_PX),
    })),
  }
  const ports = new Ports(steps)
  const middles = new Map(placed.stations.map(({ station, top }) => [station.id, top + STATION_PX / 2]))
  const drawn = steps.map((step, index) => {
    const isFan = step.from === 'members' || step.to === 'members'
    const places = { ports, middles, members: placed.members, taken }
    const { lines, mark } = isFan ? fanOf(step, places) : betweenStations(step, places)
    return { lines, mark: { ...mark, step, number: index + 1 } }
  })
  return {
    height,
    ...placed,
    lines: drawn.flatMap(({ lines }) => lines),
    marks: drawn.map(({ mark }) => mark),
  }
}

/** Several lines that meet at one box leave it side by side, in the order of the steps. */
class Ports {
  readonly #fans: readonly StoryStep[]

  constructor(steps: readonly StoryStep[]) {
    this.#fans = steps.filter(({ from, to }) => from === 'members' || to === 'members')
  }

  atStation(step: StoryStep): number {
    const id = stationOf(step)
    return offset(
      this.#fans.filter((one) => stationOf(one) === id),
      step,
      STATION_PORT_PX,
    )
  }

  atMember(step: StoryStep): number {
    return offset(this.#fans, step, MEMBER_PORT_PX)
  }
}

function stationOf({ from, to }: StoryStep): string {
  return from === 'members' ? to : from
}

function offset(steps: readonly StoryStep[], step: StoryStep, distance: number): number {
  return (steps.indexOf(step) - (steps.length - 1) / 2) * distance
}

interface Places {
  ports: Ports
  middles: ReadonlyMap<string, number>
  members: StoryLayout['members']
  taken: StoryTaken | null
}

function fanOf(step: StoryStep, { ports, middles, members, taken }: Places) {
  const isOut = step.to === 'members'
  const y = (middles.get(stationOf(step)) ?? 0) + ports.atStation(step)
  const lines = members.flatMap(({ member, top }, index): StoryLine[] => {
    const isUsual = step.reach !== 'one' || index === 0
    const isTaken = taken === null ? isUsual : taken.members.has(member.key)
    const isLit = isTaken && isReached(taken, stationOf(step))
    // A way that was not taken has no return line, unless no member was reached and it is the usual one.
    const isNobody = taken !== null && taken.members.size === 0
    if (!isOut && !isTaken && !(isNobody && isUsual)) return []
    const memberY = top + MEMBER_PX / 2 + ports.atMember(step)
    const middle = (stationEnd + memberStart) / 2
    const toMember: Curve = [
      { x: stationEnd, y },
      { x: middle, y },
      { x: middle, y: memberY },
      { x: memberStart, y: memberY },
    ]
    const curve = isOut ? toMember : reversed(toMember)
    const tip = isOut
      ? ({ x: memberStart, y: memberY, direction: 'right' } as const)
      : ({ x: stationEnd, y, direction: 'left' } as const)
    return [{ step, curve, isLit: isLit && !step.isDetour, memberKey: member.key, tip }]
  })
  return { lines, mark: { x: stationEnd + 5, y } }
}

/** Whether a station is reached; without a run, each of them is. */
function isReached(taken: StoryTaken | null, station: string): boolean {
  return taken === null || taken.stations.has(station)
}

function betweenStations(step: StoryStep, { middles, taken }: Pick<Places, 'middles' | 'taken'>) {
  const from = middles.get(step.from) ?? 0
  const to = middles.get(step.to) ?? 0
  const common = {
    step,
    isLit: !step.isDetour && isReached(taken, step.from) && isReached(taken, step.to),
    memberKey: null,
  }
  if (to < from) {
    // Back up, around the left side of the stations in between.
    const curve: Curve = [
      { x: stationStart, y: from },
      { x: 0, y: from },
      { x: 0, y: to },
      { x: stationStart, y: to },
    ]
    const line: StoryLine = { ...common, curve, tip: { x: stationStart, y: to, direction: 'right' } }
    return { lines: [line], mark: { x: 2.5, y: (from + to) / 2 } }
  }
  const [start, end] = [from + STATION_PX / 2, to - STATION_PX / 2]
  const [top, bottom] = [
    { x: STATION_MIDDLE, y: start },
    { x: STATION_MIDDLE, y: end },
  ]
  const line: StoryLine = {
    ...common,
    curve: [top, top, bottom, bottom],
    tip: { x: STATION_MIDDLE, y: end, direction: 'down' },
  }
  return { lines: [line], mark: { x: STATION_MIDDLE, y: (start + end) / 2 } }
}
