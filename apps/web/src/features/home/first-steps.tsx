import type { HomeView } from '@troupe/contract/builder'
import { Bot, KeyRound, Play, Plug, UserRoundPlus } from 'lucide-react'
import { ActionCard } from '../../atoms/layout/action-card.tsx'
import { Section } from '../../atoms/layout/page.tsx'
import { homeWords } from '../../core/messages/en/operate/home.ts'
import { withSearch } from '../../core/url/paths.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import styles from './home.module.css'

/** The open steps that this user may do; nothing without any. */
export function FirstSteps({
  done,
  agentToTalkTo,
}: {
  done: HomeView['steps']
  /** The agent whose playground is linked; null: there is no agent yet. */
  agentToTalkTo: HomeView['agentToTalkTo']
}) {
  const { paths, may } = usePlace()
  const creating = { create: '1' }
  const steps = [
    {
      id: 'run',
      icon: <Play size={16} />,
      href: agentToTalkTo === null ? paths.agents : paths.agent(agentToTalkTo, 'playground'),
      needs: 'build',
    },
    { id: 'llmConfiguration', icon: <Plug size={16} />, href: paths.newModel(), needs: 'manage' },
    { id: 'agent', icon: <Bot size={16} />, href: withSearch(paths.agents, creating), needs: 'build' },
    {
      id: 'apiKey',
      icon: <KeyRound size={16} />,
      href: withSearch(paths.settings('keys'), creating),
      needs: 'manage',
    },
    {
      id: 'colleague',
      icon: <UserRoundPlus size={16} />,
      href: withSearch(paths.settings('members'), creating),
      needs: 'manage',
    },
  ] as const
  const open = steps.filter(({ id, needs }) => !done[id] && may(needs))
  if (open.length === 0) return null
  return (
    <Section title={homeWords.first} detail={homeWords.firstDetail}>
      <div className={styles.steps}>
        {open.map(({ id, icon, href }) => {
          const [title, detail] = homeWords.steps[id]
          return <ActionCard key={id} href={href} icon={icon} title={title} detail={detail} />
        })}
      </div>
    </Section>
  )
}
