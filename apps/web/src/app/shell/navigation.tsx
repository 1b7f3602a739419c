import {
  Activity,
  AudioLines,
  BookOpen,
  Bot,
  ChartColumn,
  GraduationCap,
  House,
  Inbox,
  Phone,
  Settings,
  UsersRound,
  Workflow,
  Wrench,
} from 'lucide-react'
import type { NavigationGroup, NavigationItem } from '../../atoms/layout/frame.tsx'
import { shellWords } from '../../core/messages/en/shell.ts'
import { projectInput } from '../../core/url/list-params.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

/** The navigation of an organization. A reviewer only sees reviews. */
export function useNavigation(pathname: string): readonly NavigationGroup[] {
  const { paths, may, session, projectId } = usePlace()
  const { nav, build, voiceAndPhone, operate } = shellWords
  const item = (
    id: keyof typeof nav,
    icon: NavigationItem['icon'],
    href: string,
    below = href,
  ): NavigationItem => ({
    id,
    label: nav[id],
    icon,
    href,
    isCurrent:
      id === 'home' ? pathname.replace(/\/$/, '') === pathOf(href) : pathname.startsWith(pathOf(below)),
  })
  const home = useOperation('getHome', projectInput(projectId), { isEnabled: may('read') })
  const asked = useAskedCount(!may('read'))
  const waiting = may('read') ? (home.data?.reviews.open ?? 0) + (home.data?.approvals.pending ?? 0) : asked
  const reviews = { ...item('reviews', <Inbox size={16} />, paths.reviews), count: waiting }
  if (!may('read')) return [{ id: 'all', items: [reviews] }]
  return [
    { id: 'top', items: [item('home', <House size={16} />, paths.home), reviews] },
    {
      id: 'build',
      title: build,
      items: [
        item('agents', <Bot size={16} />, paths.agents),
        item('teams', <UsersRound size={16} />, paths.teams),
        item('workflows', <Workflow size={16} />, paths.workflows),
        item('knowledge', <BookOpen size={16} />, paths.knowledge),
        item('skills', <GraduationCap size={16} />, paths.skills),
        item('tools', <Wrench size={16} />, paths.tools()),
      ],
    },
    ...(session.server.voice
      ? [
          {
            id: 'voice',
            title: voiceAndPhone,
            items: [
              item('voice', <AudioLines size={16} />, paths.voice()),
              item('phone', <Phone size={16} />, paths.phone()),
            ],
          },
        ]
      : []),
    {
      id: 'operate',
      title: operate,
      items: [
        {
          ...item('runs', <Activity size={16} />, paths.runs),
          isCurrent: [paths.runs, paths.sessions, paths.memories()].some((href) =>
            pathname.startsWith(pathOf(href)),
          ),
        },
        item('usage', <ChartColumn size={16} />, paths.usage),
        item(
          'settings',
          <Settings size={16} />,
          paths.settings(),
          pathOf(paths.settings()).replace(/\/organization$/, ''),
        ),
      ],
    },
  ]
}

/** The most used pages, for the bottom bar on a phone. */
const AT_FOOT = ['home', 'reviews', 'agents', 'workflows', 'runs']

export const footItems = (groups: readonly NavigationGroup[]): readonly NavigationItem[] =>
  groups.flatMap(({ items }) => items).filter(({ id }) => AT_FOOT.includes(id))

const WATCH_MS = 10_000

/** The number of open decisions, for a user who may not read Home and gets no events. */
function useAskedCount(isEnabled: boolean): number {
  const settings = { isEnabled, everyMs: WATCH_MS }
  const query = { limit: 1, decided: false }
  const reviews = useOperation('listReviews', { query: { ...query, mine: true } }, settings)
  const approvals = useOperation('listApprovals', { query }, settings)
  return (reviews.data?.total ?? 0) + (approvals.data?.total ?? 0)
}

const pathOf = (href: string) => href.split('?')[0] ?? href
