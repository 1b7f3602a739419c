import type { IdText, KnowledgeBaseId, KnowledgeDocument } from '@troupe/contract'
import { FileText } from 'lucide-react'
import { Suspense, useState } from 'react'
import { FileDrop } from '../../atoms/controls/file-drop.tsx'
import { Select } from '../../atoms/controls/select.tsx'
import { SearchToolbar } from '../../atoms/layout/search-toolbar.tsx'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Status } from '../../atoms/states/badge.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { PagedTable } from '../../atoms/table/paged-table.tsx'
import { WaitingTable } from '../../atoms/table/waiting-table.tsx'
import { byteSize, wholeNumber } from '../../core/format/numbers.ts'
import { listWords } from '../../core/messages/en/lists.ts'
import { knowledgeWords } from '../../core/messages/en/resources/knowledge.ts'
import { PAGE_ROWS } from '../../core/url/list-params.ts'
import { choiceParam, countParam, optionalParam, textParam } from '../../core/url/search-params.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { useHrefWith, useSearchParams } from '../../infrastructure/routing/place.ts'
import { DocumentActions } from './document-actions.tsx'
import type { DocumentUploads } from './use-document-uploads.ts'

const FailedDocuments = lazyPart(async () => (await import('./failed-documents.tsx')).FailedDocuments)
const UploadList = lazyPart(async () => (await import('./upload-list.tsx')).UploadList)
const addDialogs = () => import('./add-document-dialogs.tsx')
const TextDocumentDialog = lazyPart(async () => (await addDialogs()).TextDocumentDialog)
const EditTextDialog = lazyPart(async () => (await import('./edit-text-dialog.tsx')).EditTextDialog)
const DocumentSheet = lazyPart(async () => (await import('./document-sheet.tsx')).DocumentSheet)
const UrlDocumentDialog = lazyPart(async () => (await addDialogs()).UrlDocumentDialog)

const words = knowledgeWords.documents
const STATUSES = ['any', 'ready', 'queued', 'failed'] as const
const PARAMS = {
  q: textParam,
  status: choiceParam(STATUSES, 'any'),
  page: countParam,
  /** The viewed document, and the one being edited. */
  document: optionalParam,
  edit: optionalParam,
}
const ENDINGS = '.pdf .docx .doc .xlsx .xls .txt .md .csv .html .htm .xml'.split(' ')
const STATES = { ready: 'completed', queued: 'running', failed: 'failed' } as const
/** No event reports that a document was read. */
const WATCH_MS = 1_500

const COLUMNS: readonly Column<KnowledgeDocument>[] = [
  {
    id: 'name',
    title: words.columns.name,
    cell: ({ name }) => name,
    under: ({ createdAt }) => <MomentText at={createdAt} />,
  },
  {
    id: 'status',
    title: words.columns.status,
    width: '124px',
    cell: ({ status }) => <Status state={STATES[status]}>{words.statuses[status]}</Status>,
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
    id: 'size',
    title: words.columns.size,
    align: 'end',
    width: '96px',
    from: 'wide',
    cell: ({ sizeBytes }) => byteSize(sizeBytes),
  },
  {
    id: 'added',
    title: words.columns.added,
    width: '136px',
    from: 'wide',
    cell: ({ createdAt }) => <MomentText at={createdAt} />,
  },
]

export interface DocumentsTabProps {
  knowledgeBaseId: IdText<KnowledgeBaseId>
  /** Whether documents are being ingested. */
  isReading: boolean
  /** Uploads in progress, which continue while another tab is open. */
  sending: DocumentUploads
}

/** The documents of a knowledge base: add, watch, ingest again, replace, delete. */
export function DocumentsTab({ knowledgeBaseId, isReading, sending }: DocumentsTabProps) {
  const [{ q, status, page, document: opened, edit }, setParams] = useSearchParams(PARAMS)
  const hrefWith = useHrefWith(PARAMS)
  const [adding, setAdding] = useState<'text' | 'url' | null>(null)
  const { uploads, isBusy, add, retry, dismiss } = sending
  const query = { page, limit: PAGE_ROWS, ...(q ? { q } : {}), ...(status === 'any' ? {} : { status }) }
  const input = { params: { knowledgeBaseId }, query }
  const first = useOperation('listKnowledgeDocuments', input)
  const isWatched = isReading || (first.data?.data.some((one) => one.status === 'queued') ?? false)
  const documents = useOperation('listKnowledgeDocuments', input, isWatched ? { everyMs: WATCH_MS } : {})
  const refusal = useRefusal('build')
  const isFiltered = q !== '' || status !== 'any'
  return (
    <>
      <FileDrop
        label={words.drop}
        detail={refusal ?? words.dropDetail}
        choose={words.choose}
        accepts={ENDINGS}
        isDisabled={refusal !== null}
        onFiles={add}
        onCut={(most) => showNotice({ title: words.filesCut(most), tone: 'bad' })}
        actions={
          <>
            <RefusableButton refusal={refusal} onPress={() => setAdding('text')}>
              {words.addText}
            </RefusableButton>
            <RefusableButton refusal={refusal} onPress={() => setAdding('url')}>
              {words.addUrl}
            </RefusableButton>
          </>
        }
      />
      {uploads.length > 0 && (
        <Suspense>
          <UploadList uploads={uploads} isBusy={isBusy} onRetry={retry} onDismiss={dismiss} />
        </Suspense>
      )}
      <SearchToolbar label={words.find} value={q} onChange={(text) => setParams({ q: text, page: 1 })}>
        <Select
          label={words.columns.status}
          isLabelHidden
          value={status}
          clearTo="any"
          onChange={(next) => setParams({ status: next, page: 1 })}
          options={STATUSES.map((id) => ({ id, label: id === 'any' ? words.any : words.statuses[id] }))}
        />
      </SearchToolbar>
      <AskedPanel
        asked={documents}
        failed={words.failed}
        waiting={<WaitingTable columns={COLUMNS} hasActions />}
      >
        {({ data, total }) => (
          <>
            <Suspense>
              <FailedDocuments documents={data} />
            </Suspense>
            <PagedTable
              label={words.label}
              rows={data}
              total={total}
              columns={COLUMNS}
              idOf={({ documentId }) => documentId}
              nameOf={({ name }) => name}
              hrefOf={({ documentId }) => hrefWith({ document: documentId })}
              isFormer={documents.isFormer}
              actionsOf={(document) => (
                <DocumentActions
                  knowledgeBaseId={knowledgeBaseId}
                  document={document}
                  onEdit={() => setParams({ edit: document.documentId }, { push: true })}
                />
              )}
              page={page}
              limit={PAGE_ROWS}
              words={listWords}
              onTurn={(page, turn) => setParams({ page }, turn)}
              empty={
                <Empty
                  picture={<FileText size={22} />}
                  title={isFiltered ? words.noneTitle : words.emptyTitle}
                >
                  {isFiltered ? words.none : words.empty}
                </Empty>
              }
            />
          </>
        )}
      </AskedPanel>
      <LazyDialog>
        {opened !== null && edit === null && (
          <DocumentSheet
            knowledgeBaseId={knowledgeBaseId}
            documentId={opened}
            onClose={() => setParams({ document: null })}
            onEdit={() => setParams({ edit: opened }, { push: true })}
          />
        )}
        {edit !== null && refusal === null && (
          <EditTextDialog
            knowledgeBaseId={knowledgeBaseId}
            documentId={edit}
            onClose={() => setParams({ edit: null })}
          />
        )}
        {adding === 'text' && (
          <TextDocumentDialog knowledgeBaseId={knowledgeBaseId} onClose={() => setAdding(null)} />
        )}
        {adding === 'url' && (
          <UrlDocumentDialog knowledgeBaseId={knowledgeBaseId} onClose={() => setAdding(null)} />
        )}
      </LazyDialog>
    </>
  )
}
