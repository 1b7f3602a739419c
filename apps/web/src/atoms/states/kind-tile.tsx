import {
  BookOpen,
  Bot,
  GraduationCap,
  Inbox,
  type LucideIcon,
  UsersRound,
  Workflow,
  Wrench,
} from 'lucide-react'
import styles from './kind-tile.module.css'

const ICONS = {
  agent: Bot,
  team: UsersRound,
  workflow: Workflow,
  knowledge: BookOpen,
  skill: GraduationCap,
  tool: Wrench,
  review: Inbox,
} as const satisfies Record<string, LucideIcon>

export type TileKind = keyof typeof ICONS

export interface KindTileProps {
  kind: TileKind
  /** Another icon in the colour of the kind. */
  icon?: LucideIcon
  /** The label for screen readers; without it the tile is decorative. */
  label?: string
  /** `small` is 20 px, for rows. */
  size?: 'usual' | 'small'
}

/** The icon of a kind of resource on a tint of its colour: agents violet, teams blue, workflows teal. */
export function KindTile({ kind, icon: Icon = ICONS[kind], label, size = 'usual' }: KindTileProps) {
  return (
    <span className={styles.tile} data-kind={kind} data-size={size}>
      <Icon
        size={size === 'small' ? 12 : 14}
        {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
      />
    </span>
  )
}
