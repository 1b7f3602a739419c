import { LinkTabs } from '../../atoms/layout/link-tabs.tsx'
import { voiceWords as words } from '../../core/messages/en/voice/voice.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

/** The voices of agents, and the sessions with them. */
export function VoiceTabs({ current }: { current: 'voices' | 'sessions' }) {
  const { paths } = usePlace()
  return (
    <LinkTabs
      label={words.title}
      tabs={[
        { href: paths.voice(), label: words.voices, isCurrent: current === 'voices' },
        { href: paths.voiceSessions, label: words.sessions, isCurrent: current === 'sessions' },
      ]}
    />
  )
}
