import type { IdText, KnowledgeBaseId, KnowledgeDocument, KnowledgeDocumentId } from '@troupe/contract'
import type { DocumentPassage } from '@troupe/contract/builder'
import { useEffect, useRef } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { Facts } from '../../atoms/layout/page.tsx'
import { SideSheet } from '../../atoms/overlays/dialog.tsx'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Status } from '../../atoms/states/badge.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { LongText } from '../../atoms/text/long-text.tsx'
import { byteSize, wholeNumber } from '../../core/format/numbers.ts'
import { fullTime } from '../../core/format/times.ts'
import { metadataLines } from '../../core/knowledge/metadata-text.ts'
import { knowledgeWords } from '../../core/messages/en/resources/knowledge.ts'
import { knowledgeSearchWords } from '../../core/messages/en/resources/knowledge-search.ts'
import {
  type AskedPages,
  useKeysetOperation,
  useOperation,
} from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import styles from './knowledge.module.css'

const words = knowledgeWords.documents
const STATES = { ready: 'completed', queued: 'running', failed: 'failed' } as const
/** No event reports that a document was read. */
const WATCH_MS = 1_500

interface DocumentIds {
  knowledgeBaseId: IdText<KnowledgeBaseId>
  documentId: IdText<KnowledgeDocumentId>
}

export interface DocumentSheetProps extends DocumentIds {
  onClose(): void
  /** Only for a written document. */
  onEdit(): void
}

/** One document: its facts, its text if it was written here, and its passages. */
export function DocumentSheet({ onClose, onEdit, ...ids }: DocumentSheetProps) {
  const first = useOperation('getKnowledgeDocument', { params: ids })
  const isReading = first.data?.status === 'queued'
  const document = useOperation(
    'getKnowledgeDocument',
    { params: ids },
    isReading ? { everyMs: WATCH_MS } : {},
  )
  const refusal = useRefusal('build')
  return (
    <SideSheet
      isOpen
      title={document.data?.name ?? words.one}
      onClose={onClose}
      {...(document.data?.source === 'text'
        ? {
            actions: (
              <RefusableButton refusal={refusal} onPress={onEdit}>
                {words.edit}
              </RefusableButton>
            ),
          }
        : {})}
    >
      <AskedPanel asked={document} failed={words.oneFailed}>
        {(data) => (
          <div className={styles.sheet}>
            <DocumentFacts document={data} />
            {data.error && <Callout tone="bad">{data.error}</Callout>}
            {data.source === 'text' && <WrittenText {...ids} />}
            <Passages {...ids} status={data.status} />
          </div>
        )}
      </AskedPanel>
    </SideSheet>
  )
}

function DocumentFacts({ document }: { document: KnowledgeDocument }) {
  const { status, source, url, chunks, sizeBytes, createdAt, metadata } = document
  const { lines, others } = metadataLines(metadata)
  const said = [...lines, ...Object.entries(others).map(([key, value]) => `${key}=${JSON.stringify(value)}`)]
  return (
    <Facts
      facts={[
        {
          name: words.columns.status,
          value: <Status state={STATES[status]}>{words.statuses[status]}</Status>,
        },
        {
          name: words.source,
          value: url ? (
            <TextLink href={url} isExternal>
              {url}
            </TextLink>
          ) : (
            words.sources[source]
          ),
        },
        { name: words.columns.passages, value: wholeNumber(chunks) },
        { name: words.columns.size, value: byteSize(sizeBytes) },
        { name: words.columns.added, value: fullTime(createdAt) },
        ...(said.length === 0 ? [] : [{ name: words.metadata, value: said.join(', ') }]),
      ]}
    />
  )
}

function WrittenText(params: DocumentIds) {
  const written = useOperation('getKnowledgeDocumentText', { params })
  return (
    <section className={styles.part}>
      <h3>{words.text}</h3>
      <AskedPanel asked={written} failed={words.oneFailed}>
        {({ text }) => (
          <div className={styles.text}>
            <LongText text={text ?? ''} />
          </div>
        )}
      </AskedPanel>
    </section>
  )
}

/**
 * Restarts a list of passages once a document was ingested, and if the next page is refused: pages belong to one ingestion, which
 * another one has replaced.
 */
function useOneReading(
  { data, failure, restart }: Pick<AskedPages<DocumentPassage>, 'data' | 'failure' | 'restart'>,
  status: KnowledgeDocument['status'],
): void {
  const latest = useRef(restart)
  latest.current = restart
  const former = useRef(status)
  // The first page is never refused because of its ingestion.
  const isOutdated = data !== undefined && failure?.code === 'validation_error'
  useEffect(() => {
    const isRead = former.current === 'queued' && status !== 'queued'
    former.current = status
    if (isRead || isOutdated) latest.current()
  }, [status, isOutdated])
}

function Passages({ status, ...params }: DocumentIds & Pick<KnowledgeDocument, 'status'>) {
  const passages = useKeysetOperation('listKnowledgePassages', { params, query: { limit: 20 } })
  const { hasMore, isLoadingMore, loadMore } = passages
  useOneReading(passages, status)
  return (
    <section className={styles.part}>
      <h3>{words.columns.passages}</h3>
      <AskedPanel asked={passages} failed={words.passagesFailed}>
        {(rows) =>
          rows.length === 0 ? (
            <p>{status === 'queued' ? words.passagesLater : words.noPassages}</p>
          ) : (
            <>
              <p className={styles.detail}>
                {status === 'ready' ? words.passagesDetail : words.passagesFormer}
              </p>
              <ol className={styles.results} aria-label={words.columns.passages}>
                {rows.map(({ index, page, text }) => (
                  <li key={index} className={styles.passage}>
                    <div className={styles.source}>
                      <span className={styles.rank}>{wholeNumber(index + 1)}</span>
                      {page !== null && (
                        <span className={styles.facts}>{knowledgeSearchWords.page(page)}</span>
                      )}
                    </div>
                    <p className={styles.text}>{text}</p>
                  </li>
                ))}
              </ol>
              {hasMore && (
                <Button size="small" isPending={isLoadingMore} onPress={loadMore}>
                  {words.morePassages}
                </Button>
              )}
            </>
          )
        }
      </AskedPanel>
    </section>
  )
}
