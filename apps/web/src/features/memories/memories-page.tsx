import { Select } from '../../atoms/controls/select.tsx'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { SearchToolbar } from '../../atoms/layout/search-toolbar.tsx'
import { memoryWords as words } from '../../core/messages/en/resources/memories.ts'
import { countParam, optionalParam, textParam } from '../../core/url/search-params.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/session/session.ts'
import { MemoriesList } from '../../parts/memories/memories-list.tsx'

const ANY = 'any'
const PARAMS = { agent: optionalParam, user: textParam, page: countParam }

/** What agents remember about users, of one agent or user, or all of it. */
export function MemoriesPage() {
  const { paths } = usePlace()
  const [{ agent, user, page }, setParams] = useSearchParams(PARAMS)
  const agents = useOperation('listAgents', { query: { limit: 100, sort: 'name' } })
  const listed = agents.data?.data ?? []
  const chosen = listed.find(({ agentId }) => agentId === agent)
  const isUnlisted = agent !== null && !chosen
  return (
    <PageLayout
      title={words.title}
      detail={words.detail}
      crumbs={chosen ? [{ label: chosen.name, href: paths.agent(chosen.agentId) }] : []}
    >
      <SearchToolbar
        label={words.user}
        value={user}
        onChange={(text) => setParams({ user: text.slice(0, 255), page: 1 })}
      >
        <Select
          label={words.agent}
          isLabelHidden
          value={agent ?? ANY}
          onChange={(id) => setParams({ agent: id === ANY ? null : id, page: 1 })}
          options={[
            { id: ANY, label: words.anyAgent },
            ...listed.map(({ agentId, name }) => ({ id: agentId, label: name })),
            ...(isUnlisted ? [{ id: agent, label: words.anAgent }] : []),
          ]}
        />
      </SearchToolbar>
      <MemoriesList
        agentId={agent}
        userId={user === '' ? null : user}
        page={page}
        onTurn={(next) => setParams({ page: next }, { push: true })}
        onUser={(next) => setParams({ user: next, page: 1 })}
      />
    </PageLayout>
  )
}
