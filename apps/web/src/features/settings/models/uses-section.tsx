import type { LlmConfiguration } from '@troupe/contract/builder'
import { Card, RowList, Section } from '../../../atoms/layout/page.tsx'
import { KindTile, type TileKind } from '../../../atoms/states/kind-tile.tsx'
import { modelWords as words } from '../../../core/messages/en/settings/models.ts'
import { RESOURCE_PAGES } from '../../../core/url/resource-pages.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'

type Use = LlmConfiguration['usedBy'][number]

const TILES: Readonly<Record<Use['kind'], TileKind>> = {
  agent: 'agent',
  team: 'team',
  workflow: 'workflow',
  knowledge_base: 'knowledge',
  mcp_server: 'tool',
}

/** The uses of a configuration, with links. */
export function UsesSection({ usedBy }: { usedBy: LlmConfiguration['usedBy'] }) {
  const { paths } = usePlace()
  return (
    <Section title={words.uses} detail={usedBy.length === 0 ? words.noUses : words.usesDetail}>
      {usedBy.length > 0 && (
        <Card flush>
          <RowList
            label={words.uses}
            rows={usedBy.map((use) => ({
              id: use.id,
              title: use.name,
              lead: <KindTile kind={TILES[use.kind]} size="small" />,
              end: words.useKinds[use.kind],
              href: RESOURCE_PAGES[use.kind](paths, use.id),
            }))}
          />
        </Card>
      )}
    </Section>
  )
}
