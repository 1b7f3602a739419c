import {
  Activity,
  AudioLines,
  BookOpen,
  Bot,
  Folder,
  GraduationCap,
  Inbox,
  KeyRound,
  type LucideIcon,
  Phone,
  Plug,
  UsersRound,
  Workflow,
} from 'lucide-react'
import type { MenuEntry } from '../../atoms/overlays/menu.tsx'
import { paletteWords } from '../../core/messages/en/palette.ts'
import { placeOfVersion } from '../../core/url/found-place.ts'
import type { OrganizationPaths } from '../../core/url/paths.ts'
import { RESOURCE_PAGES } from '../../core/url/resource-pages.ts'
import type { CallFailure } from '../../infrastructure/client/call-failure.ts'
import type { AnswerOf } from '../../infrastructure/client/operation-types.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

type Found = AnswerOf<'search'>['data'][number]
type PageOf = (paths: OrganizationPaths, id: string, found: Found) => string

const ICONS: Readonly<Record<Found['kind'], LucideIcon>> = {
  agent: Bot,
  team: UsersRound,
  workflow: Workflow,
  llm_configuration: Plug,
  knowledge_base: BookOpen,
  skill: GraduationCap,
  credential: KeyRound,
  mcp_server: Plug,
  voice_configuration: AudioLines,
  phone_trunk: Phone,
  project: Folder,
  api_key: KeyRound,
  agent_run: Activity,
  team_run: Activity,
  workflow_run: Activity,
  review: Inbox,
  agent_version: Bot,
  team_version: UsersRound,
  workflow_version: Workflow,
}

const version =
  (kind: Parameters<typeof placeOfVersion>[0]['kind']): PageOf =>
  (paths, _, found) =>
    placeOfVersion({ ...found, kind }, paths)

const PAGES: Readonly<Record<Found['kind'], PageOf>> = {
  ...RESOURCE_PAGES,
  credential: (paths) => paths.tools({ tab: 'credentials' }),
  project: (paths) => paths.settings('projects'),
  api_key: (paths) => paths.settings('keys'),
  agent_run: (paths, id) => paths.run(id),
  team_run: (paths, id) => paths.run(id),
  workflow_run: (paths, id) => paths.run(id),
  review: (paths, id) => paths.review(id),
  agent_version: version('agent_version'),
  team_version: version('team_version'),
  workflow_version: version('workflow_version'),
}

/** The results, or the reason why there are none. */
interface FoundEntries {
  entries: MenuEntry[]
  isSearching: boolean
  failure: CallFailure | null
}

/** The server's results for a typed or pasted text: names, and prefixes of ids. */
export function useFoundEntries(text: string, isOpen: boolean): FoundEntries {
  const { paths, may } = usePlace()
  const q = text.trim().slice(0, 200)
  const isEnabled = isOpen && q !== '' && may('read')
  const { data, isFormer, failure } = useOperation('search', { query: { q } }, { isEnabled })
  if (!isEnabled) return { entries: [], isSearching: false, failure: null }
  // Enter does not apply to results of the previous text.
  if (!data || isFormer) return { entries: [], isSearching: failure === null, failure }
  const entries = data.data.map((found) => {
    const Icon = ICONS[found.kind]
    return {
      id: `${found.kind}-${found.id}`,
      label: found.name,
      detail: [paletteWords.kinds[found.kind], found.detail].filter(Boolean).join(' · '),
      icon: <Icon size={16} />,
      href: PAGES[found.kind](paths, found.id, found),
    }
  })
  return { entries, isSearching: false, failure: null }
}
