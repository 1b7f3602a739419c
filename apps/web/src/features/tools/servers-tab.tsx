import type { RegisteredMcpServer } from '@troupe/contract/builder'
import { Plug } from 'lucide-react'
import type { ReactNode } from 'react'
import { SearchToolbar } from '../../atoms/layout/search-toolbar.tsx'
import { Badge } from '../../atoms/states/badge.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { RowFacts } from '../../atoms/table/row-facts.tsx'
import { wholeNumber } from '../../core/format/numbers.ts'
import { toolWords } from '../../core/messages/en/resources/tools.ts'
import { LIST_PARAMS, listQuery } from '../../core/url/list-params.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { changedColumn, namesText } from '../../parts/lists/list-columns.tsx'
import { turningOf } from '../../parts/lists/turning.ts'
import { MovableTable } from '../../parts/move-things/movable-table.tsx'
import styles from './tools.module.css'

const words = toolWords.servers

const COLUMNS: readonly Column<RegisteredMcpServer>[] = [
  { id: 'name', title: words.columns.name, width: '22%', isSortable: true, cell: ({ name }) => name },
  { id: 'address', title: words.columns.address, width: '26%', from: 'wider', cell: ({ url }) => url },
  {
    id: 'tools',
    title: words.columns.tools,
    width: 'clamp(8.75rem, 16vw, 12.5rem)',
    cell: ({ toolCount, changedCount }) => (
      <span className={styles.counts}>
        {toolCount === 0 ? <span data-none>{words.notLoaded}</span> : wholeNumber(toolCount)}
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
    cell: ({ usedBy }) => namesText(usedBy),
  },
  changedColumn(toolWords.changed),
]

const idOfServer = ({ mcpServerId }: RegisteredMcpServer) => mcpServerId

/** The MCP servers available to tools of agents. */
export function ServersTab({ create }: { create: ReactNode }) {
  const { paths, projectId } = usePlace()
  const [params, setParams] = useSearchParams(LIST_PARAMS)
  const { q, sort, page } = params
  const servers = useOperation('listMcpServers', { query: listQuery(params, projectId) })
  return (
    <>
      <SearchToolbar label={words.search} value={q} onChange={(text) => setParams({ q: text, page: 1 })} />
      <MovableTable
        kind="mcp_server"
        asked={servers}
        words={{ ...words, noneTitle: toolWords.noneTitle }}
        label={toolWords.tabs.servers}
        columns={COLUMNS}
        idOf={idOfServer}
        nameOf={({ name }) => name}
        hasTiles
        hrefOf={({ mcpServerId }) => paths.mcpServer(mcpServerId)}
        peekOf={(row) => <RowFacts row={row} columns={COLUMNS} />}
        {...turningOf({ sort, page }, setParams)}
        isFiltered={q !== ''}
        picture={<Plug size={22} />}
        firstActions={create}
      />
    </>
  )
}
