import type { KnowledgeBase } from '@troupe/contract'
import { BookOpen } from 'lucide-react'
import { Suspense } from 'react'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { SearchToolbar } from '../../atoms/layout/search-toolbar.tsx'
import { CreateButton } from '../../atoms/overlays/create-button.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Avatar, Empty } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { PagedTable } from '../../atoms/table/paged-table.tsx'
import { RowFacts } from '../../atoms/table/row-facts.tsx'
import { WaitingTable } from '../../atoms/table/waiting-table.tsx'
import { wholeNumber } from '../../core/format/numbers.ts'
import { listWords } from '../../core/messages/en/lists.ts'
import { knowledgeWords as words } from '../../core/messages/en/resources/knowledge.ts'
import { PAGE_ROWS } from '../../core/url/list-params.ts'
import { countParam, flagParam, textParam } from '../../core/url/search-params.ts'
import { useKeys } from '../../infrastructure/keys/use-keys.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { MoveSelection, useRowsToMove } from '../../parts/move-things/move-selection.tsx'
import { useResourceUsers } from '../../parts/used-by/use-resource-users.ts'
import { DocumentCounts } from './document-counts.tsx'

const NewBaseDialog = lazyPart(async () => (await import('./new-base-dialog.tsx')).NewBaseDialog)
const PARAMS = { q: textParam, page: countParam, create: flagParam }

const leadOfRow = ({ knowledgeBaseId, name }: KnowledgeBase) => (
  <Avatar id={knowledgeBaseId} name={name} shape="square" size="small" />
)

const columns = (
  usersOf: (id: string) => readonly { name: string }[] | null,
): readonly Column<KnowledgeBase>[] => [
  { id: 'name', title: words.columns.name, width: '28%', cell: ({ name }) => name },
  { id: 'documents', title: words.columns.documents, cell: (base) => <DocumentCounts {...base.documents} /> },
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
    from: 'widest',
    cell: ({ embedding }) => (embedding ? words.byMeaning(embedding.model_id) : words.byWords),
  },
  {
    id: 'used',
    title: words.columns.usedBy,
    from: 'wider',
    cell: ({ knowledgeBaseId }) =>
      usersOf(knowledgeBaseId)
        ?.map(({ name }) => name)
        .join(', ') || '–',
  },
  {
    id: 'changed',
    title: words.columns.changed,
    width: '136px',
    from: 'wide',
    cell: ({ updatedAt }) => <MomentText at={updatedAt} />,
  },
]

const NONE: readonly KnowledgeBase[] = []
const idOfBase = ({ knowledgeBaseId }: KnowledgeBase) => knowledgeBaseId

/** The knowledge bases of an organization, with their status and users. */
export function KnowledgePage() {
  const { paths, may, projectId } = usePlace()
  const refusal = useRefusal('build')
  const [{ q, page, create }, setParams] = useSearchParams(PARAMS)
  const bases = useOperation('listKnowledgeBases', {
    query: { page, limit: PAGE_ROWS, ...(q ? { q } : {}), ...(projectId ? { projectId } : {}) },
  })
  const { choice, choosing } = useRowsToMove(bases.data?.data ?? NONE, idOfBase)
  const usersOf = useResourceUsers('knowledge_base', bases.data?.data.map((one) => one.knowledgeBaseId) ?? [])
  const open = () => setParams({ create: true }, { push: true })
  useKeys([{ keys: 'c', label: words.create, run: () => may('build') && open() }])
  const button = (
    <CreateButton refusal={refusal} onPress={open}>
      {words.create}
    </CreateButton>
  )
  return (
    <PageLayout title={words.title} detail={words.detail} actions={button}>
      <SearchToolbar label={words.search} value={q} onChange={(text) => setParams({ q: text, page: 1 })} />
      <MoveSelection
        kind="knowledge_base"
        choice={choice}
        thingOf={({ knowledgeBaseId: id, name, projectId: of }) => ({ id, name, projectId: of })}
      />
      <AskedPanel
        asked={bases}
        failed={words.failed}
        waiting={<WaitingTable columns={columns(usersOf)} hasLead />}
      >
        {({ data, total }) => (
          <PagedTable
            label={words.title}
            rows={data}
            total={total}
            columns={columns(usersOf)}
            idOf={idOfBase}
            nameOf={({ name }) => name}
            leadOf={leadOfRow}
            hrefOf={({ knowledgeBaseId }) => paths.knowledgeBase(knowledgeBaseId)}
            peekOf={(row) => <RowFacts row={row} columns={columns(usersOf)} />}
            isFormer={bases.isFormer}
            {...choosing}
            page={page}
            limit={PAGE_ROWS}
            words={listWords}
            onTurn={(page, turn) => setParams({ page }, turn)}
            empty={
              <Empty
                picture={<BookOpen size={22} />}
                title={q ? words.noneTitle : words.emptyTitle}
                {...(q ? {} : { actions: button })}
              >
                {q ? words.none : words.empty}
              </Empty>
            }
          />
        )}
      </AskedPanel>
      {create && may('build') && (
        <Suspense>
          <NewBaseDialog onClose={() => setParams({ create: false })} />
        </Suspense>
      )}
    </PageLayout>
  )
}
