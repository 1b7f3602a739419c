import { Bot, CircleCheck, KeyRound, Plug, UserRoundPlus, UsersRound } from 'lucide-react'
import { ActionCard } from '../../atoms/layout/action-card.tsx'
import { PageLayout, Section } from '../../atoms/layout/page.tsx'
import { homeWords } from '../../core/messages/en/home.ts'
import { usePlace } from '../../infrastructure/session/session.ts'
import styles from './home.module.css'

/** What needs the person, what runs now, and the first steps. */
export function HomePage() {
  const { session, membership, paths, may } = usePlace()
  const steps = [
    { id: 'model', icon: <Plug size={16} />, href: paths.settings('models'), needs: 'manage' },
    { id: 'agent', icon: <Bot size={16} />, href: paths.agents, needs: 'build' },
    { id: 'team', icon: <UsersRound size={16} />, href: paths.teams, needs: 'build' },
    { id: 'key', icon: <KeyRound size={16} />, href: paths.settings('keys'), needs: 'manage' },
    { id: 'members', icon: <UserRoundPlus size={16} />, href: paths.settings('members'), needs: 'manage' },
  ] as const
  const name = session.person.name.split(' ')[0] ?? session.person.name
  return (
    <PageLayout title={homeWords.greeting(new Date().getHours(), name)} detail={membership.name}>
      <Section title={homeWords.needsYou}>
        <div className={styles.quiet}>
          <CircleCheck size={20} aria-hidden="true" />
          <div>
            <strong>{homeWords.nothing}</strong>
            <p>{homeWords.nothingDetail}</p>
          </div>
        </div>
      </Section>
      <Section title={homeWords.first} detail={homeWords.firstDetail}>
        <div className={styles.steps}>
          {steps
            .filter(({ needs }) => may(needs))
            .map(({ id, icon, href }) => (
              <ActionCard
                key={id}
                href={href}
                icon={icon}
                title={homeWords.steps[id][0]}
                detail={homeWords.steps[id][1]}
              />
            ))}
        </div>
      </Section>
    </PageLayout>
  )
}
