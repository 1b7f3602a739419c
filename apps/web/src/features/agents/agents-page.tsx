import type { AgentStatus } from '@troupe/contract'
import type { AgentSummary } from '@troupe/contract/builder'
import { Bot } from 'lucide-react'
import { Suspense } from 'react'
import { Select } from '../../atoms/controls/select.tsx'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { SearchToolbar } from '../../atoms/layout/search-toolbar.tsx'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { Badge, LiveMark } from '../../atoms/states/badge.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { useChosenRows } from '../../atoms/table/use-chosen-rows.ts'
import { isCallable } from '../../core/agents/is-callable.ts'
import { money } from '../../core/format/numbers.ts'
import { authorName } from '../../core/labels/author-name.ts'
import { modelsText } from '../../core/labels/models-text.ts'
import { agentWords } from '../../core/messages/en/agents/agents.ts'
import { listWords } from '../../core/messages/en/lists.ts'
import { LIST_PARAMS, listQuery } from '../../core/url/list-params.ts'
import { choiceParam, flagParam } from '../../core/url/search-params.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { AskedTable } from '../../parts/lists/asked-table.tsx'
import { namesText, WEEK_COLUMN } from '../../parts/lists/list-columns.tsx'
import { RunnablePeek } from '../../parts/lists/runnable-peek.tsx'
import { turningOf } from '../../parts/lists/turning.ts'
import { useCreateActions } from '../../parts/lists/use-create-actions.tsx'
import { UsersOfAgent } from './users-of-agent.tsx'

const AgentSelection = lazyPart(async () => (await import('./agent-selection.tsx')).AgentSelection)
const NewAgentDialog = lazyPart(async () => (await import('./new-agent-dialog.tsx')).NewAgentDialog)

const STATUSES = ['any', 'draft', 'active', 'archived'] as const satisfies readonly ('any' | AgentStatus)[]
const PARAMS = { ...LIST_PARAMS, status: choiceParam(STATUSES, 'any'), create: flagParam, example: flagParam }
const NONE: readonly AgentSummary[] = []
const idOfAgent = ({ agentId }: AgentSummary) => agentId
const TONES = { draft: 'warn', archived: 'neutral' } as const

const COLUMNS: readonly Column<AgentSummary>[] = [
  { id: 'name', title: listWords.name, width: '22%', isSortable: true, cell: ({ name }) => name },
  {
    id: 'status',
    title: listWords.status,
    width: 'clamp(8.75rem, 16vw, 9.5rem)',
    cell: ({ status, versionNumber }) =>
      status === 'active' ? (
        <Badge tone="good">{agentWords.activeVersion(versionNumber)}</Badge>
      ) : (
        <>
          <Badge tone={TONES[status]}>{agentWords.statuses[status]}</Badge>{' '}
          {isCallable(status) && <LiveMark version={versionNumber} />}
        </>
      ),
  },
  { id: 'model', title: agentWords.model, from: 'wider', cell: ({ models }) => modelsText(models) },
  WEEK_COLUMN,
  {
    id: 'cost',
    title: listWords.cost,
    align: 'end',
    width: '96px',
    from: 'widest',
    cell: ({ costUsd7d }) => money(costUsd7d),
  },
  {
    id: 'used',
    title: listWords.usedBy,
    from: 'huge',
    cell: ({ usedBy }) => namesText(usedBy),
  },
  {
    id: 'changed',
    title: listWords.changed,
    width: '208px',
    from: 'vast',
    cell: ({ updatedAt, changedBy }) => (
      <>
        <MomentText at={updatedAt} /> {listWords.changedBy(authorName(changedBy))}
      </>
    ),
  },
  {
    id: 'run',
    title: listWords.lastCall,
    width: '128px',
    from: 'widest',
    cell: ({ lastRunAt }) => <MomentText at={lastRunAt} none={listWords.notCalled} />,
  },
]

/** The agents of an organization with their use, failures and cost. */
export function AgentsPage() {
  const { paths, may, projectId } = usePlace()
  const [params, setParams] = useSearchParams(PARAMS)
  const { q, status, sort, page, create, example } = params
  const agents = useOperation('listAgents', {
    query: { ...listQuery(params, projectId), ...(status === 'any' ? {} : { status }) },
  })
  const choice = useChosenRows(agents.data?.data ?? NONE, idOfAgent)
  const { button, firstActions } = useCreateActions(agentWords.create, (form) =>
    setParams(form, { push: true }),
  )
  const isFiltered = q !== '' || status !== 'any'
  return (
    <PageLayout title={agentWords.title} detail={agentWords.detail} actions={button}>
      <SearchToolbar label={agentWords.search} value={q} onChange={(text) => setParams({ q: text, page: 1 })}>
        <Select
          label={listWords.status}
          isLabelHidden
          value={status}
          clearTo="any"
          onChange={(next) => setParams({ status: next, page: 1 })}
          options={STATUSES.map((id) => ({
            id,
            label: id === 'any' ? agentWords.anyStatus : agentWords.statuses[id],
          }))}
        />
      </SearchToolbar>
      <Suspense>{choice.rows.length > 0 && <AgentSelection choice={choice} />}</Suspense>
      <AskedTable
        asked={agents}
        words={agentWords}
        label={agentWords.title}
        columns={COLUMNS}
        idOf={idOfAgent}
        nameOf={({ name }) => name}
        hasTiles
        hrefOf={({ agentId }) => paths.agent(agentId)}
        peekOf={(agent) => (
          <RunnablePeek row={agent} columns={COLUMNS}>
            <UsersOfAgent usedBy={agent.usedBy} status={agent.status} />
          </RunnablePeek>
        )}
        selected={choice.selected}
        onSelect={choice.onSelect}
        selectFrom="wide"
        {...turningOf({ sort, page }, setParams)}
        isFiltered={isFiltered}
        picture={<Bot size={22} />}
        firstActions={firstActions}
      />
      <LazyDialog>
        {create && may('build') && (
          <NewAgentDialog isExample={example} onClose={() => setParams({ create: false, example: false })} />
        )}
      </LazyDialog>
    </PageLayout>
  )
}
