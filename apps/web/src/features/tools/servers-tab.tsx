import type { RegisteredMcpServer } from '@troupe/contract/builder'
import { Plug } from 'lucide-react'
import type { ReactNode } from 'react'
import { SearchToolbar } from '../../atoms/layout/search-toolbar.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Badge } from '../../atoms/states/badge.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Avatar, Empty } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { PagedTable } from '../../atoms/table/paged-table.tsx'
import { RowFacts } from '../../atoms/table/row-facts.tsx'
import { WaitingTable } from '../../atoms/table/waiting-table.tsx'
import { wholeNumber } from '../../core/format/numbers.ts'
import { toolWords } from '../../core/messages/en/resources/tools.ts'
import { LIST_PARAMS, listQuery } from '../../core/url/list-params.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { turningOf } from '../../parts/lists/turning.ts'
import { MoveSelection, useRowsToMove } from '../../parts/move-things/move-selection.tsx'
import styles from './tools.module.css'

const words = toolWords.servers

const COLUMNS: readonly Column<RegisteredMcpServer>[] = [
  { id: 'name', title: words.columns.name, width: '28%', isSortable: true, cell: ({ name }) => name },
  { id: 'address', title: words.columns.address, from: 'wider', cell: ({ url }) => url },
  {
    id: 'tools',
    title: words.columns.tools,
    width: 'clamp(8.75rem, 16vw, 12.5rem)',
    cell: ({ toolCount, changedCount }) => (
      <span className={styles.counts}>
        {toolCount === 0 ? words.notLoaded : wholeNumber(toolCount)}
        {changedCount > 0 && <Badge tone="warn">{words.changedCount(changedCount)}</Badge>}
      </span>
    ),
  },
  {
    id: 'credential',
    title: words.columns.credential,
    from: 'huge',
    cell: ({ credential }) => credential?.name ?? '–',
  },
  {
    id: 'used',
    title: toolWords.usedBy,
    from: 'widest',
    cell: ({ usedBy }) => usedBy.map(({ name }) => name).join(', ') || '–',
  },
  {
    id: 'changed',
    title: toolWords.changed,
    width: '136px',
    from: 'wide',
    cell: ({ updatedAt }) => <MomentText at={updatedAt} />,
  },
]

const NONE: readonly RegisteredMcpServer[] = []
const leadOfRow = ({ mcpServerId, name }: RegisteredMcpServer) => (
  <Avatar id={mcpServerId} name={name} shape="square" size="small" />
)

const idOfServer = ({ mcpServerId }: RegisteredMcpServer) => mcpServerId

/** The MCP servers available to tools of agents. */
export function ServersTab({ create }: { create: ReactNode }) {
  const { paths, projectId } = usePlace()
  const [params, setParams] = useSearchParams(LIST_PARAMS)
  const { q, sort, page } = params
  const servers = useOperation('listMcpServers', { query: listQuery(params, projectId) })
  const { choice, choosing } = useRowsToMove(servers.data?.data ?? NONE, idOfServer)
  return (
    <>
      <SearchToolbar label={words.search} value={q} onChange={(text) => setParams({ q: text, page: 1 })} />
      <MoveSelection
        kind="mcp_server"
        choice={choice}
        thingOf={({ mcpServerId: id, name, projectId: of }) => ({ id, name, projectId: of })}
      />
      <AskedPanel asked={servers} failed={words.failed} waiting={<WaitingTable columns={COLUMNS} hasLead />}>
        {({ data, total }) => (
          <PagedTable
            label={toolWords.tabs.servers}
            rows={data}
            total={total}
            columns={COLUMNS}
            idOf={idOfServer}
            nameOf={({ name }) => name}
            leadOf={leadOfRow}
            hrefOf={({ mcpServerId }) => paths.mcpServer(mcpServerId)}
            peekOf={(row) => <RowFacts row={row} columns={COLUMNS} />}
            isFormer={servers.isFormer}
            {...choosing}
            {...turningOf({ sort, page }, setParams)}
            empty={
              <Empty
                picture={<Plug size={22} />}
                title={q ? toolWords.noneTitle : words.emptyTitle}
                {...(q ? {} : { actions: create })}
              >
                {q ? words.none : words.empty}
              </Empty>
            }
          />
        )}
      </AskedPanel>
    </>
  )
}
