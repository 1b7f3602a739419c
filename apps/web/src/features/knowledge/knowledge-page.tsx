import type { KnowledgeBase } from '@troupe/contract'
import { BookOpen } from 'lucide-react'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { SearchToolbar } from '../../atoms/layout/search-toolbar.tsx'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import type { Column } from '../../atoms/table/columns.ts'
import { RowFacts } from '../../atoms/table/row-facts.tsx'
import { wholeNumber } from '../../core/format/numbers.ts'
import { knowledgeWords as words } from '../../core/messages/en/resources/knowledge.ts'
import { PAGE_ROWS } from '../../core/url/list-params.ts'
import { countParam, flagParam, textParam } from '../../core/url/search-params.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { changedColumn, namesText } from '../../parts/lists/list-columns.tsx'
import { useCreateButton } from '../../parts/lists/use-create-button.tsx'
import { MovableTable } from '../../parts/move-things/movable-table.tsx'
import { useResourceUsers } from '../../parts/used-by/use-resource-users.ts'
import { DocumentCounts } from './document-counts.tsx'

const NewBaseDialog = lazyPart(async () => (await import('./new-base-dialog.tsx')).NewBaseDialog)
const PARAMS = { q: textParam, page: countParam, create: flagParam }

const columns = (
  usersOf: (id: string) => readonly { name: string }[] | null,
): readonly Column<KnowledgeBase>[] => [
  { id: 'name', title: words.columns.name, width: '28%', cell: ({ name }) => name },
  {
    id: 'documents',
    title: words.columns.documents,
    align: 'end',
    width: '128px',
    cell: (base) => <DocumentCounts {...base.documents} />,
  },
  {
    id: 'passages',
    title: words.columns.passages,
    align: 'end',
    width: '96px',
    from: 'wide',
    cell: ({ chunks }) => wholeNumber(chunks),
  },
  {
    id: 'model',
    title: words.columns.model,
    width: '22%',
    from: 'widest',
    cell: ({ embedding }) => (embedding ? words.byMeaning(embedding.model_id) : words.byWords),
  },
  {
    id: 'used',
    title: words.columns.usedBy,
    from: 'wider',
    cell: ({ knowledgeBaseId }) => namesText(usersOf(knowledgeBaseId)),
  },
  changedColumn(words.columns.changed),
]

const idOfBase = ({ knowledgeBaseId }: KnowledgeBase) => knowledgeBaseId

/** The knowledge bases of an organization, with their status and users. */
export function KnowledgePage() {
  const { paths, may, projectId } = usePlace()
  const [{ q, page, create }, setParams] = useSearchParams(PARAMS)
  const bases = useOperation('listKnowledgeBases', {
    query: { page, limit: PAGE_ROWS, ...(q ? { q } : {}), ...(projectId ? { projectId } : {}) },
  })
  const usersOf = useResourceUsers('knowledge_base', bases.data?.data.map((one) => one.knowledgeBaseId) ?? [])
  const button = useCreateButton('build', words.create, () => setParams({ create: true }, { push: true }))
  return (
    <PageLayout title={words.title} detail={words.detail} actions={button}>
      <SearchToolbar label={words.search} value={q} onChange={(text) => setParams({ q: text, page: 1 })} />
      <MovableTable
        kind="knowledge_base"
        asked={bases}
        words={words}
        label={words.title}
        columns={columns(usersOf)}
        idOf={idOfBase}
        nameOf={({ name }) => name}
        hasTiles
        hrefOf={({ knowledgeBaseId }) => paths.knowledgeBase(knowledgeBaseId)}
        peekOf={(row) => <RowFacts row={row} columns={columns(usersOf)} />}
        page={page}
        onTurn={(page, turn) => setParams({ page }, turn)}
        isFiltered={q !== ''}
        picture={<BookOpen size={22} />}
        firstActions={button}
      />
      {create && may('build') && (
        <LazyDialog>
          <NewBaseDialog onClose={() => setParams({ create: false })} />
        </LazyDialog>
      )}
    </PageLayout>
  )
}
