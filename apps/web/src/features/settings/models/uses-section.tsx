import type { LlmConfiguration } from '@troupe/contract/builder'
import { Bot, Database, Plug, UsersRound, Workflow } from 'lucide-react'
import { Card, RowList, Section } from '../../../atoms/layout/page.tsx'
import { modelWords as words } from '../../../core/messages/en/settings/models.ts'
import { RESOURCE_PAGES } from '../../../core/url/resource-pages.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import styles from './models.module.css'

const ICONS = {
  agent: Bot,
  team: UsersRound,
  workflow: Workflow,
  knowledge_base: Database,
  mcp_server: Plug,
} as const

/** The uses of a configuration, with links. */
export function UsesSection({ usedBy }: { usedBy: LlmConfiguration['usedBy'] }) {
  const { paths } = usePlace()
  return (
    <Section title={words.uses} detail={usedBy.length === 0 ? words.noUses : words.usesDetail}>
      {usedBy.length > 0 && (
        <Card flush>
          <RowList
            label={words.uses}
            rows={usedBy.map((use) => {
              const Icon = ICONS[use.kind]
              return {
                id: use.id,
                title: use.name,
                lead: <Icon size={16} aria-hidden="true" className={styles.faintIcon} />,
                end: words.useKinds[use.kind],
                href: RESOURCE_PAGES[use.kind](paths, use.id),
              }
            })}
          />
        </Card>
      )}
    </Section>
  )
}
