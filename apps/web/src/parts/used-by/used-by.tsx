import { AudioLines, BookOpen, Bot, type LucideIcon, Phone, Plug, UsersRound, Workflow } from 'lucide-react'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { RESOURCE_PAGES } from '../../core/url/resource-pages.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import styles from './used-by.module.css'

/** A resource that uses another one. */
export interface ShownUser {
  kind:
    | 'agent'
    | 'team'
    | 'workflow'
    | 'mcp_server'
    | 'voice_configuration'
    | 'knowledge_base'
    | 'phone_trunk'
  id: string
  name: string
}

const ICONS: Readonly<Record<ShownUser['kind'], LucideIcon>> = {
  agent: Bot,
  team: UsersRound,
  workflow: Workflow,
  mcp_server: Plug,
  voice_configuration: AudioLines,
  knowledge_base: BookOpen,
  phone_trunk: Phone,
}

/** The uses of a resource, as links; nothing while `users` is null, which means unknown. */
export function UserLinks({ users, none }: { users: readonly ShownUser[] | null; none: string }) {
  const { paths } = usePlace()
  if (users === null) return null
  if (users.length === 0) return <span className={styles.none}>{none}</span>
  return (
    <ul className={styles.users}>
      {users.map((user) => {
        const Icon = ICONS[user.kind]
        return (
          <li key={`${user.kind} ${user.id}`}>
            <Icon size={14} aria-hidden="true" />
            <TextLink href={RESOURCE_PAGES[user.kind](paths, user.id)}>{user.name}</TextLink>
          </li>
        )
      })}
    </ul>
  )
}
