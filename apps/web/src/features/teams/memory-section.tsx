import { Toggle } from '../../atoms/controls/toggles.tsx'
import { Card, Section } from '../../atoms/layout/page.tsx'
import { teamPageWords } from '../../core/messages/en/teams.ts'
import type { TeamForm } from './team-form.ts'

const words = teamPageWords.memory

/** What the team knows of a session, and of a person. */
export function MemorySection({ form }: { form: TeamForm }) {
  const { config, change, isReadOnly } = form
  const { history, summary, user_memories: people } = config.memory
  const rows = [
    {
      path: 'memory.history.enabled',
      isOn: history.enabled,
      label: words.history,
      detail: words.historyDetail,
    },
    {
      path: 'memory.summary.enabled',
      isOn: summary.enabled,
      label: words.summary,
      detail: words.summaryDetail,
    },
    {
      path: 'memory.user_memories.enabled',
      isOn: people.enabled,
      label: words.people,
      detail: words.peopleDetail,
    },
    {
      path: 'members_keep_own_history',
      isOn: config.members_keep_own_history,
      label: words.own,
      detail: words.ownDetail,
    },
  ]
  return (
    <Section title={words.title} detail={words.detail}>
      <Card>
        {rows.map(({ path, isOn, label, detail }) => (
          <div key={path} data-setting={`config.${path}`}>
            <Toggle
              isSelected={isOn}
              onChange={(next) => change(path, next)}
              isDisabled={isReadOnly}
              description={detail}
            >
              {label}
            </Toggle>
          </div>
        ))}
      </Card>
    </Section>
  )
}
