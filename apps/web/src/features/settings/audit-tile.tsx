import { AUDITED_KINDS, type AuditedKind } from '@troupe/contract'
import {
  Activity,
  AudioLines,
  BookOpen,
  Brain,
  Building2,
  Cpu,
  FileText,
  FlaskConical,
  FolderClosed,
  Gauge,
  Hash,
  History,
  KeyRound,
  LockKeyhole,
  type LucideIcon,
  Mail,
  MessagesSquare,
  Network,
  PhoneOff,
  UserRound,
} from 'lucide-react'
import { KindTile, type TileKind } from '../../atoms/states/kind-tile.tsx'

/** The tile of each kind: the colour of a kind of resource, and its icon if that differs. */
const TILES: Readonly<Record<AuditedKind, readonly [kind: TileKind, icon?: LucideIcon]>> = {
  agent: ['agent'],
  team: ['team'],
  workflow: ['workflow'],
  workflow_test_case: ['workflow', FlaskConical],
  knowledge_base: ['knowledge', BookOpen],
  knowledge_document: ['knowledge', FileText],
  skill: ['skill'],
  credential: ['tool', LockKeyhole],
  mcp_server: ['tool'],
  llm_configuration: ['tool', Cpu],
  voice_configuration: ['tool', AudioLines],
  phone_trunk: ['tool', Network],
  phone_number: ['tool', Hash],
  do_not_call: ['tool', PhoneOff],
  api_key: ['tool', KeyRound],
  project: ['tool', FolderClosed],
  organization: ['tool', Building2],
  member: ['tool', UserRound],
  invitation: ['tool', Mail],
  budget: ['tool', Gauge],
  run: ['tool', Activity],
  session: ['tool', MessagesSquare],
  review: ['review'],
  approval: ['review'],
  upload: ['tool', FileText],
  memory: ['tool', Brain],
  user_memories: ['tool', Brain],
}

/** The tile of a changed resource; an unknown kind of a newer server has that of the log. */
export function AuditTile({ kind }: { kind: string }) {
  const known = AUDITED_KINDS.find((one) => one === kind)
  const [tile, icon] = known ? TILES[known] : (['tool', History] as const)
  return <KindTile kind={tile} size="small" {...(icon && { icon })} />
}
