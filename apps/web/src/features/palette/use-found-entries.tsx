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
import type { CallFailure } from '../../infrastructure/client/call-failure.ts'
import type { AnswerOf } from '../../infrastructure/client/operation-types.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

type Found = AnswerOf<'search'>['data'][number]

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
      href: placeOf(found, paths),
    }
  })
  return { entries, isSearching: false, failure: null }
}

function placeOf(found: Found, paths: OrganizationPaths): string {
  const { kind, id } = found
  switch (kind) {
    case 'agent':
      return paths.agent(id)
    case 'team':
      return paths.team(id)
    case 'workflow':
      return paths.workflow(id)
    case 'agent_version':
    case 'team_version':
    case 'workflow_version':
      return placeOfVersion({ ...found, kind }, paths)
    case 'agent_run':
    case 'team_run':
    case 'workflow_run':
      return paths.run(id)
    case 'review':
      return paths.review(id)
    case 'project':
      return paths.settings('projects')
    case 'api_key':
      return paths.settings('keys')
    case 'llm_configuration':
      return paths.model(id)
    case 'knowledge_base':
      return paths.knowledgeBase(id)
    case 'skill':
      return paths.skill(id)
    case 'credential':
      return paths.tools({ tab: 'credentials' })
    case 'mcp_server':
      return paths.mcpServer(id)
    case 'voice_configuration':
      return paths.voiceConfiguration(id)
    case 'phone_trunk':
      return paths.phoneTrunk(id)
    default:
      return kind satisfies never
  }
}
