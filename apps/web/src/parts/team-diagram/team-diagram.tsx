import {
  Bot,
  CircleCheck,
  CircleStop,
  CircleX,
  Clock,
  Crown,
  LoaderCircle,
  Mail,
  MessageSquareText,
} from 'lucide-react'
import { useMemo } from 'react'
import { classNames } from '../../atoms/styles/class-names.ts'
import { teamStoryWords as words } from '../../core/messages/en/teams/story.ts'
import { curvePath } from '../../core/teams/curve.ts'
import type { ModeStory, StoryMember, StoryStation } from '../../core/teams/mode-story.ts'
import type { PlaceState, RunPlaces } from '../../core/teams/run-places.ts'
import {
  MEMBER_PX,
  STATION_PX,
  STORY_COLUMNS,
  type StoryLayout,
  storyLayout,
} from '../../core/teams/story-layout.ts'
import { Packets } from './packets.tsx'
import styles from './team-diagram.module.css'

export interface TeamDiagramProps {
  story: ModeStory
  /** The position of a run; absent: none. */
  places?: RunPlaces
  /** A short line below a member's name instead of its role, by the id of the agent: its task. */
  notes?: Readonly<Record<string, string>>
  /** The hovered step; null: none. */
  activeStep?: string | null
  onPoint?(stepId: string | null): void
}

const STATION_ICONS = { message: Mail, lead: Crown, answer: MessageSquareText }
const STATE_ICONS = {
  waiting: Clock,
  working: LoaderCircle,
  done: CircleCheck,
  failed: CircleX,
  stopped: CircleStop,
}

/**
 * The picture of a story: the path of the message through lead and members. Screen readers get the states of the members here, and the rest
 * from the list of steps beside it.
 */
export function TeamDiagram({ story, places, notes, activeStep = null, onPoint }: TeamDiagramProps) {
  const layout = useMemo(() => storyLayout(story, places?.taken), [story, places])
  const states = places?.members
  return (
    <figure className={styles.figure}>
      <div className={styles.picture} style={{ height: layout.height }} aria-hidden="true">
        <Lines layout={layout} states={states} activeStep={activeStep} />
        {layout.stations.map(({ station, top }) => (
          <Station key={station.id} station={station} top={top} state={places?.stations[station.id]} />
        ))}
        {layout.members.map(({ member, top }) => (
          <Member
            key={member.key}
            member={member}
            top={top}
            state={states?.[member.agentId]}
            note={notes?.[member.agentId]}
          />
        ))}
        {layout.members.length === 0 && (
          <div className={styles.nobody} style={{ insetBlockStart: (layout.height - MEMBER_PX) / 2 }}>
            {words.noMembers}
          </div>
        )}
        {layout.marks.map(({ step, number, x, y }) => (
          <span
            key={step.id}
            className={classNames(
              styles.mark,
              step.isDetour && styles.detourMark,
              activeStep === step.id && styles.activeMark,
            )}
            style={{ insetInlineStart: `${x}%`, insetBlockStart: y }}
            {...(onPoint
              ? { onPointerEnter: () => onPoint(step.id), onPointerLeave: () => onPoint(null) }
              : {})}
          >
            {number}
          </span>
        ))}
        <Packets key={activeStep} lines={layout.lines.filter(({ step }) => step.id === activeStep)} />
      </div>
      {states && (
        <figcaption className="visually-hidden">
          {story.members
            .map(({ agentId, name }) => words.stateOf(name, words.states[states[agentId] ?? 'waiting']))
            .join(', ')}
        </figcaption>
      )}
    </figure>
  )
}

function Lines({
  layout,
  states,
  activeStep,
}: {
  layout: StoryLayout
  states: RunPlaces['members'] | undefined
  activeStep: string | null
}) {
  const { height, lines, members } = layout
  const stateOf = (key: string | null) => {
    const member = members.find((one) => one.member.key === key)?.member
    return member ? states?.[member.agentId] : undefined
  }
  return (
    <>
      <svg
        className={styles.lines}
        viewBox={`0 0 100 ${height}`}
        preserveAspectRatio="none"
        style={{ height }}
        focusable="false"
      >
        <title>{words.picture}</title>
        {lines.map(({ step, curve, isLit, memberKey }) => (
          <path
            key={`${step.id}-${memberKey}`}
            d={curvePath(curve)}
            className={classNames(
              styles.line,
              isLit && styles.lit,
              step.isDetour && styles.detour,
              step.reach === 'all' && styles.thick,
              activeStep === step.id && styles.active,
              stateOf(memberKey) === 'working' && styles.flowing,
            )}
          />
        ))}
      </svg>
      {lines.map(({ step, memberKey, isLit, tip }) => (
        <span
          key={`${step.id}-${memberKey}`}
          className={classNames(
            styles.tip,
            isLit && styles.litTip,
            activeStep === step.id && styles.activeTip,
          )}
          data-direction={tip.direction}
          style={{ insetInlineStart: `${tip.x}%`, insetBlockStart: tip.y }}
        />
      ))}
    </>
  )
}

const { stationStart, stationEnd, memberStart } = STORY_COLUMNS

function Station({
  station,
  top,
  state,
}: {
  station: StoryStation
  top: number
  state: PlaceState | undefined
}) {
  const { kind, title, detail } = station
  const Icon = STATION_ICONS[kind]
  return (
    <div
      className={styles.station}
      data-kind={kind}
      data-state={state}
      title={detail === '' ? title : words.memberTitle(title, detail)}
      style={{
        insetBlockStart: top,
        insetInlineStart: `${stationStart}%`,
        width: `${stationEnd - stationStart}%`,
        height: STATION_PX,
      }}
    >
      <Icon size={14} />
      <span className={styles.texts}>
        <span className={styles.name}>{title}</span>
        {detail !== '' && <span className={styles.detail}>{detail}</span>}
      </span>
      <StateIcon state={state} />
    </div>
  )
}

function Member({
  member,
  top,
  state,
  note,
}: {
  member: StoryMember
  top: number
  state: PlaceState | undefined
  note: string | undefined
}) {
  const { key, name, role } = member
  const detail = note ?? role
  return (
    <div
      className={styles.member}
      data-state={state}
      title={words.memberTitle(name, detail)}
      style={{
        insetBlockStart: top,
        insetInlineStart: `${memberStart}%`,
        width: `${100 - memberStart}%`,
        height: MEMBER_PX,
      }}
    >
      {key === 'lead' ? <Crown size={14} /> : <Bot size={14} />}
      <span className={styles.texts}>
        <span className={styles.name}>{name}</span>
        {detail && <span className={styles.detail}>{detail}</span>}
      </span>
      <StateIcon state={state} />
    </div>
  )
}

function StateIcon({ state }: { state: PlaceState | undefined }) {
  if (state === undefined) return null
  const Icon = STATE_ICONS[state]
  return <Icon size={14} className={styles.state} data-state={state} />
}
