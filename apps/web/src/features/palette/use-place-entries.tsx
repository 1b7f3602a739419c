import {
  Activity,
  AudioLines,
  BookOpen,
  Bot,
  Brain,
  ChartColumn,
  GraduationCap,
  Hash,
  House,
  Inbox,
  KeyRound,
  Phone,
  PhoneOff,
  UsersRound,
  Workflow,
  Wrench,
} from 'lucide-react'
import type { MenuEntry } from '../../atoms/overlays/menu.tsx'
import { paletteWords } from '../../core/messages/en/palette.ts'
import { shellWords } from '../../core/messages/en/shell.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

/** The pages, as entries with their keys. */
export function usePlaceEntries(): readonly MenuEntry[] {
  const { paths, may, session } = usePlace()
  const { nav } = shellWords
  const reviews = {
    id: 'reviews',
    label: nav.reviews,
    icon: <Inbox size={16} />,
    href: paths.reviews,
    keys: 'G V',
  }
  if (!may('read')) return [reviews]
  // Without a media server, the navigation hides some pages; the palette finds them, with the missing
  // requirement.
  const missing = session.server.voice ? null : paletteWords.needsMediaServer
  return [
    { id: 'home', label: nav.home, icon: <House size={16} />, href: paths.home, keys: 'G H' },
    { id: 'agents', label: nav.agents, icon: <Bot size={16} />, href: paths.agents, keys: 'G A' },
    { id: 'teams', label: nav.teams, icon: <UsersRound size={16} />, href: paths.teams, keys: 'G T' },
    {
      id: 'workflows',
      label: nav.workflows,
      icon: <Workflow size={16} />,
      href: paths.workflows,
      keys: 'G W',
    },
    {
      id: 'knowledge',
      label: nav.knowledge,
      icon: <BookOpen size={16} />,
      href: paths.knowledge,
      keys: 'G K',
    },
    { id: 'skills', label: nav.skills, icon: <GraduationCap size={16} />, href: paths.skills, keys: 'G L' },
    {
      id: 'tools',
      label: nav.tools,
      detail: paletteWords.servers,
      icon: <Wrench size={16} />,
      href: paths.tools(),
      keys: 'G O',
    },
    {
      id: 'credentials',
      label: paletteWords.credentials,
      detail: nav.tools,
      icon: <KeyRound size={16} />,
      href: paths.tools({ tab: 'credentials' }),
    },
    { id: 'memories', label: paletteWords.memories, icon: <Brain size={16} />, href: paths.memories() },
    {
      id: 'voice',
      label: nav.voice,
      ...(missing && { detail: missing }),
      icon: <AudioLines size={16} />,
      href: paths.voice(),
    },
    {
      id: 'voice-sessions',
      label: paletteWords.voiceSessions,
      detail: missing ?? nav.voice,
      icon: <AudioLines size={16} />,
      href: paths.voiceSessions,
    },
    {
      id: 'phone',
      label: nav.phone,
      detail: missing ?? paletteWords.trunks,
      icon: <Phone size={16} />,
      href: paths.phone(),
      keys: 'G P',
    },
    {
      id: 'phone-numbers',
      label: paletteWords.phoneNumbers,
      detail: missing ?? nav.phone,
      icon: <Hash size={16} />,
      href: paths.phone({ tab: 'numbers' }),
    },
    {
      id: 'do-not-call',
      label: paletteWords.doNotCall,
      detail: missing ?? nav.phone,
      icon: <PhoneOff size={16} />,
      href: paths.phone({ tab: 'do-not-call' }),
    },
    { id: 'runs', label: nav.runs, icon: <Activity size={16} />, href: paths.runs, keys: 'G R' },
    reviews,
    { id: 'usage', label: nav.usage, icon: <ChartColumn size={16} />, href: paths.usage, keys: 'G U' },
  ]
}
