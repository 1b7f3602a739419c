import {
  ClipboardList,
  FileText,
  Mail,
  MessageSquareText,
  PenLine,
  Quote,
  RotateCcw,
  UserX,
} from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { spotsAlong } from '../../core/teams/curve.ts'
import type { StoryCargo } from '../../core/teams/mode-story.ts'
import type { StoryLine } from '../../core/teams/story-layout.ts'
import { type StoryPacket, storyPackets } from '../../core/teams/story-packets.ts'
import styles from './packets.module.css'

/** All packets of a step have arrived after this time; for the rest of the step they stay at their ends. */
const TRAVEL_MS = 1_400
const SPOTS = 16

const ICONS: Record<StoryCargo, typeof Mail> = {
  message: Mail,
  task: PenLine,
  result: FileText,
  plan: ClipboardList,
  again: RotateCcw,
  answer: MessageSquareText,
  quotes: Quote,
}

/** The packets of one step, moving along the lines of the message. */
export function Packets({ lines }: { lines: readonly StoryLine[] }) {
  return storyPackets(lines).map((packet) => <Packet key={packet.line.memberKey} packet={packet} />)
}

function Packet({ packet: { line, startsAt, lasts, hasFailed } }: { packet: StoryPacket }) {
  const { curve, step } = line
  const ref = useRef<HTMLSpanElement>(null)
  // Before the first paint, so that no packet first appears in the middle of its path.
  useLayoutEffect(() => {
    if (!ref.current || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const frames = spotsAlong(curve, SPOTS).map(({ x, y }) => ({ left: `${x}%`, top: `${y}px` }))
    const travel = ref.current.animate(frames, {
      delay: startsAt * TRAVEL_MS,
      duration: lasts * TRAVEL_MS,
      easing: 'ease-in-out',
      fill: 'both',
    })
    return () => travel.cancel()
  }, [curve, startsAt, lasts])
  const middle = spotsAlong(curve, 3)[1] ?? curve[0]
  const Icon = hasFailed ? UserX : ICONS[step.cargo]
  return (
    <span
      ref={ref}
      className={styles.packet}
      data-failed={hasFailed || undefined}
      style={{ left: `${middle.x}%`, top: middle.y }}
    >
      <Icon size={12} />
    </span>
  )
}
