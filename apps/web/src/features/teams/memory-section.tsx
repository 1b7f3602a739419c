import { teamPageWords } from '../../core/messages/en/teams/page.ts'
import { SettingField } from '../../parts/config-form/setting-field.tsx'
import { SettingGrid } from '../../parts/config-form/setting-frame.tsx'
import { EditorSection } from '../../parts/editor-section/editor-section.tsx'
import type { TeamForm } from './team-form.ts'
import styles from './teams.module.css'

const words = teamPageWords.memory

/** The team's view of a session, and of a user; the details of active settings. */
export function TeamMemorySection({ form }: { form: TeamForm }) {
  const { history, summary, user_memories: people } = form.config.memory
  const groups = [
    {
      path: 'memory.history.enabled',
      below: history.enabled ? ['memory.history.max_runs', 'memory.history.max_tokens'] : [],
    },
    {
      path: 'memory.summary.enabled',
      below: summary.enabled ? ['memory.summary.trigger_tokens'] : [],
    },
    {
      path: 'memory.user_memories.enabled',
      below: people.enabled ? ['memory.user_memories.scope', 'memory.user_memories.max'] : [],
    },
    { path: 'members_keep_own_history', below: [] },
  ]
  return (
    <EditorSection
      id="memory"
      title={words.title}
      detail={words.detail}
      isChanged={form.isSectionChanged('memory')}
    >
      {groups.map(({ path, below }) => (
        <div key={path} className={styles.memory}>
          <SettingField form={form} path={path} />
          {below.length > 0 && (
            <SettingGrid>
              {below.map((one) => (
                <SettingField key={one} form={form} path={one} />
              ))}
            </SettingGrid>
          )}
        </div>
      ))}
    </EditorSection>
  )
}
