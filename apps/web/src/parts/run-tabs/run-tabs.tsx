import { LinkTabs } from '../../atoms/layout/link-tabs.tsx'
import { runTabWords as words } from '../../core/messages/en/parts/run-tabs.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

/** Runs, their conversations, and the memories from them. */
export function RunTabs({ current }: { current: 'runs' | 'sessions' | 'memories' }) {
  const { paths } = usePlace()
  const hrefs = { runs: paths.runs, sessions: paths.sessions, memories: paths.memories() }
  return (
    <LinkTabs
      label={words.label}
      tabs={(['runs', 'sessions', 'memories'] as const).map((id) => ({
        href: hrefs[id],
        label: words[id],
        isCurrent: id === current,
      }))}
    />
  )
}
