import type { AgentSummary } from '@troupe/builder-contract'
import { AGENT_STATUSES } from '@troupe/contract'
import { Bot } from 'lucide-react'
import { Button } from '../../atoms/controls/button.tsx'
import { Select } from '../../atoms/controls/select.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { PageLayout, Toolbar } from '../../atoms/layout/page.tsx'
import { Tip } from '../../atoms/overlays/tip.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Badge } from '../../atoms/states/badge.tsx'
import { DayOfRuns } from '../../atoms/states/day-of-runs.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { DataTable } from '../../atoms/table/data-table.tsx'
import { PageTurner } from '../../atoms/table/page-turner.tsx'
import { money } from '../../core/format/numbers.ts'
import { agentWords, listWords } from '../../core/messages/en/lists.ts'
import { permissionRefusal } from '../../core/permissions/refusal.ts'
import { choiceParam, countParam, flagParam, textParam } from '../../core/url/search-params.ts'
import { useKeys } from '../../infrastructure/keys/use-keys.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/session/session.ts'
import { NewAgentDialog } from './new-agent-dialog.tsx'

const LIMIT = 50
const STATUSES = ['any', ...AGENT_STATUSES] as const
const SORTS = ['-updatedAt', 'name', '-createdAt'] as const
const PARAMS = {
  q: textParam,
  status: choiceParam(STATUSES, 'any'),
  sort: choiceParam(SORTS, '-updatedAt'),
  page: countParam,
  create: flagParam,
}
const TONES = { active: 'good', draft: 'warn', archived: 'neutral' } as const

function modelText({ models }: AgentSummary): string {
  const [primary, ...fallbacks] = models
  const name = primary?.modelId ?? primary?.llmConfigName ?? agentWords.defaultModel
  return fallbacks.length === 0 ? name : `${name}${agentWords.withFallbacks(fallbacks.length)}`
}

const COLUMNS: readonly Column<AgentSummary>[] = [
  { id: 'name', title: listWords.name, isSortable: true, cell: ({ name }) => name },
  {
    id: 'status',
    title: listWords.status,
    width: '96px',
    cell: ({ status }) => <Badge tone={TONES[status]}>{agentWords.statuses[status]}</Badge>,
  },
  { id: 'model', title: agentWords.model, from: 'wide', cell: modelText },
  {
    id: 'day',
    title: listWords.lastDay,
    from: 'wide',
    cell: ({ runs24h }) => <DayOfRuns {...runs24h} words={listWords} />,
  },
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
    from: 'widest',
    cell: ({ usedBy }) => usedBy.map(({ name }) => name).join(', ') || '–',
  },
  {
    id: 'run',
    title: listWords.lastRun,
    width: '128px',
    from: 'wide',
    cell: ({ lastRunAt }) => <MomentText at={lastRunAt} none={listWords.never} />,
  },
]

/** The agents of an organization with their use, failures and cost. */
export function AgentsPage() {
  const { paths, may, role, projectId } = usePlace()
  const [{ q, status, sort, page, create }, setParams] = useSearchParams(PARAMS)
  const agents = useOperation('listAgents', {
    query: {
      page,
      limit: LIMIT,
      sort,
      ...(q ? { q } : {}),
      ...(status === 'any' ? {} : { status }),
      ...(projectId ? { projectId } : {}),
    },
  })
  const refusal = permissionRefusal(role, 'build')
  const open = () => setParams({ create: true }, { push: true })
  useKeys([{ keys: 'c', label: agentWords.create, run: () => may('build') && open() }])
  const button = (
    <Button emphasis="primary" onPress={open} isDisabled={refusal !== null}>
      {agentWords.create}
    </Button>
  )
  const isFiltered = q !== '' || status !== 'any'
  return (
    <PageLayout
      title={agentWords.title}
      detail={agentWords.detail}
      actions={refusal ? <Tip text={refusal}>{button}</Tip> : button}
    >
      <Toolbar label={agentWords.search}>
        <TextField
          label={agentWords.search}
          isLabelHidden
          type="search"
          placeholder={agentWords.search}
          value={q}
          onChange={(text) => setParams({ q: text, page: 1 })}
        />
        <Select
          label={listWords.status}
          isLabelHidden
          value={status}
          onChange={(next) => setParams({ status: next, page: 1 })}
          options={STATUSES.map((id) => ({
            id,
            label: id === 'any' ? agentWords.anyStatus : agentWords.statuses[id],
          }))}
        />
      </Toolbar>
      <AskedPanel asked={agents} failed={agentWords.failed} lines={8}>
        {({ data, total }) => (
          <>
            <DataTable
              label={agentWords.title}
              rows={data}
              total={total}
              columns={COLUMNS}
              idOf={({ agentId }) => agentId}
              nameOf={({ name }) => name}
              hrefOf={({ agentId }) => paths.agent(agentId)}
              isFormer={agents.isFormer}
              sort={sort}
              onSort={(next) => setParams({ sort: next === 'name' ? 'name' : '-updatedAt', page: 1 })}
              empty={
                <Empty
                  picture={<Bot size={22} />}
                  title={isFiltered ? agentWords.noneTitle : agentWords.emptyTitle}
                  {...(isFiltered ? {} : { actions: button })}
                >
                  {isFiltered ? agentWords.none : agentWords.empty}
                </Empty>
              }
            />
            <PageTurner
              page={page}
              limit={LIMIT}
              total={total}
              words={listWords}
              onTurn={(next) => setParams({ page: next }, { push: true })}
            />
          </>
        )}
      </AskedPanel>
      {create && may('build') && <NewAgentDialog onClose={() => setParams({ create: false })} />}
    </PageLayout>
  )
}
