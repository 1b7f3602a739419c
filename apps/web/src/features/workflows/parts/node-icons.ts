// Written by `npm run generate:nodes` from the definitions of the node types.
import {
  Bot,
  CalendarClock,
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

/** Icons by their names in the definitions. */
export const NODE_ICONS: Readonly<Record<string, LucideIcon>> = {
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
