import { PageLayout } from '../../atoms/layout/page.tsx'
import { SearchToolbar } from '../../atoms/layout/search-toolbar.tsx'
import { memoryWords as words } from '../../core/messages/en/resources/memories.ts'
import { countParam, optionalParam, textParam } from '../../core/url/search-params.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { MemoriesList } from '../../parts/memories/memories-list.tsx'
import { SearchPicker } from '../../parts/pickers/search-picker.tsx'
import { AGENTS } from '../../parts/pickers/searched-lists.ts'
import { useChoices } from '../../parts/pickers/use-choices.ts'
import { RunTabs } from '../../parts/run-tabs/run-tabs.tsx'
import { WholeOrganizationNote } from '../../parts/whole-organization/whole-organization-note.tsx'

const PARAMS = { agent: optionalParam, user: textParam, page: countParam }

/** Memories about users, of one agent or user, or all. */
export function MemoriesPage() {
  const { paths } = usePlace()
  const [{ agent, user, page }, setParams] = useSearchParams(PARAMS)
  const agents = useChoices(AGENTS, agent === null ? [] : [agent])
  const chosen = agent === null ? undefined : agents.thing(agent)
  return (
    <PageLayout
      title={words.title}
      detail={words.detail}
      tabs={<RunTabs current="memories" />}
      crumbs={chosen ? [{ label: chosen.name, href: paths.agent(chosen.agentId) }] : []}
    >
      <WholeOrganizationNote />
      <SearchToolbar
        label={words.user}
        value={user}
        onChange={(text) => setParams({ user: text.slice(0, 255), page: 1 })}
      >
        <SearchPicker
          label={words.agent}
          isLabelHidden
          placeholder={words.anyAgent}
          isFilter
          value={agent}
          name={chosen?.name ?? words.anAgent}
          onType={agents.onType}
          isSearching={agents.isSearching}
          onChange={(id) => setParams({ agent: id, page: 1 })}
          options={agents.found.map(({ agentId, name }) => ({ id: agentId, label: name }))}
        />
      </SearchToolbar>
      <MemoriesList
        agentId={agent}
        userId={user === '' ? null : user}
        page={page}
        onTurn={(page, turn) => setParams({ page }, turn)}
        onUser={(next) => setParams({ user: next, page: 1 })}
      />
    </PageLayout>
  )
}
