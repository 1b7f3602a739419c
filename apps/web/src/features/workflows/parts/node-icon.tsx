import { NODE_TYPES } from '@troupe/nodes/definitions'
import {
  Bot,
  CalendarClock,
  CircleHelp,
  ClipboardList,
  GitBranch,
  type LucideIcon,
  Play,
  Repeat,
  Sparkles,
  Split,
  StickyNote,
  TableProperties,
  UserCheck,
  Users,
  Variable,
  Webhook,
} from 'lucide-react'
import { classNames } from '../../../atoms/styles/class-names.ts'
import styles from './step-facts.module.css'

/** By the icon names in the definitions of node types. */
const ICONS: Readonly<Record<string, LucideIcon>> = {
  bot: Bot,
  'calendar-clock': CalendarClock,
  'clipboard-list': ClipboardList,
  'git-branch': GitBranch,
  play: Play,
  repeat: Repeat,
  sparkles: Sparkles,
  split: Split,
  'sticky-note': StickyNote,
  'table-properties': TableProperties,
  'user-check': UserCheck,
  users: Users,
  variable: Variable,
  webhook: Webhook,
}

export interface NodeIconProps {
  type: string
  /** In a tinted square of 24 px. */
  isTile?: boolean
}

/** The icon of a node type, shown beside its name. */
export function NodeIcon({ type, isTile = false }: NodeIconProps) {
  const definition = NODE_TYPES.get(type)
  const Icon = ICONS[definition?.icon ?? ''] ?? CircleHelp
  return (
    <span
      className={classNames(styles.icon, isTile && styles.tile)}
      data-group={definition?.group}
      aria-hidden="true"
    >
      <Icon size={15} />
    </span>
  )
}
