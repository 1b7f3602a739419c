import type { KnowledgeBase } from '@troupe/contract'
import { Suspense, useState } from 'react'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { TabBar } from '../../atoms/layout/tab-bar.tsx'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { loadCode } from '../../atoms/parts/load-code.ts'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Avatar, Callout, Skeleton } from '../../atoms/states/panels.tsx'
import { moveWords } from '../../core/messages/en/parts/move.ts'
import { knowledgeWords as words } from '../../core/messages/en/resources/knowledge.ts'
import { choiceParam } from '../../core/url/search-params.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { useLeaveGuard } from '../../infrastructure/routing/leave-guard.ts'
import { usePathParam, useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { showSetting } from '../../parts/config-form/show-setting.ts'
import { useRenameKey } from '../../parts/config-form/use-rename-key.ts'
import { MoveThing } from '../../parts/move-things/move-thing.tsx'
import { LeaveQuestion } from '../../parts/unsaved/leave-question.tsx'
import { useResourceUsers } from '../../parts/used-by/use-resource-users.ts'
import { UserLinks } from '../../parts/used-by/used-by.tsx'
import { DocumentCounts } from './document-counts.tsx'
import styles from './knowledge.module.css'
import { useDocumentUploads } from './use-document-uploads.ts'

// Loaded with the page: it is the most used tab.
const documentsCode = loadCode(() => import('./documents-tab.tsx'))
const DocumentsTab = lazyPart(async () => (await documentsCode).DocumentsTab)
const GoneThing = lazyPart(async () => (await import('../../parts/gone/gone-thing.tsx')).GoneThing)
const KeepEmbedding = lazyPart(async () => (await import('./keep-embedding.tsx')).KeepEmbedding)
const DeleteBaseDialog = lazyPart(async () => (await import('./delete-base-dialog.tsx')).DeleteBaseDialog)
const BaseSettingsTab = lazyPart(async () => (await import('./base-settings-tab.tsx')).BaseSettingsTab)
const SearchTab = lazyPart(async () => (await import('./search-tab.tsx')).SearchTab)
const TABS = ['documents', 'search', 'settings'] as const
const PARAMS = { tab: choiceParam(TABS, 'documents') }
/** No event reports that a document was read. */
const WATCH_MS = 1_500
/** The next embedding waits for its provider. */
const WATCH_DELAYED_MS = 30_000

/** One knowledge base: its documents, a search as in agents, and its settings. */
export function KnowledgeBasePage() {
  const { paths } = usePlace()
  const knowledgeBaseId = usePathParam('baseId')
  const first = useOperation('getKnowledgeBase', { params: { knowledgeBaseId } })
  const next = first.data?.next_embedding
  const isReading = (first.data?.documents.queued ?? 0) > 0 || Boolean(next && !next.error)
  const base = useOperation(
    'getKnowledgeBase',
    { params: { knowledgeBaseId } },
    isReading ? { everyMs: WATCH_MS } : next ? { everyMs: WATCH_DELAYED_MS } : {},
  )
  const refused = useEntryRefusal('build')
  const [isRemoving, setRemoving] = useState(false)
  const [isMoving, setMoving] = useState(false)
  if (base.failure?.code === 'knowledge_base_not_found') {
    return (
      <PageLayout title={words.gone} isBare crumbs={[{ label: words.title, href: paths.knowledge }]}>
        <Suspense fallback={<Skeleton lines={8} />}>
          <GoneThing
            kind="knowledge_base"
            id={knowledgeBaseId}
            title={words.gone}
            detail={words.goneDetail}
            href={paths.knowledge}
            label={words.toAll}
          />
        </Suspense>
      </PageLayout>
    )
  }
  return (
    <PageLayout
      title={base.data?.name ?? words.one}
      lead={base.data && <Avatar id={knowledgeBaseId} name={base.data.name} shape="square" />}
      crumbs={[{ label: words.title, href: paths.knowledge }]}
      mark={
        base.data && (
          <DocumentCounts queued={base.data.documents.queued} failed={base.data.documents.failed} />
        )
      }
      detail={base.data && <BaseSummary base={base.data} />}
      actions={
        base.data ? (
          <ActionMenu
            label={words.actions(base.data.name)}
            entries={[
              {
                id: 'move',
                label: moveWords.entry,
                ...refused,
                onAction: () => setMoving(true),
              },
              {
                id: 'remove',
                label: words.remove,
                isDanger: true,
                ...refused,
                onAction: () => setRemoving(true),
              },
            ]}
          />
        ) : undefined
      }
    >
      <AskedPanel asked={base} failed={words.oneFailed} lines={8}>
        {(data) => (
          <>
            <BaseTabs base={data} isReading={isReading} />
            <LazyDialog>
              {isMoving && (
                <MoveThing
                  kind="knowledge_base"
                  id={knowledgeBaseId}
                  name={data.name}
                  projectId={data.projectId}
                  onClose={() => setMoving(false)}
                />
              )}
              {isRemoving && <DeleteBaseDialog base={data} onClose={() => setRemoving(false)} />}
            </LazyDialog>
          </>
        )}
      </AskedPanel>
    </PageLayout>
  )
}

function BaseSummary({ base: { knowledgeBaseId, documents, chunks, embedding } }: { base: KnowledgeBase }) {
  const users = useResourceUsers('knowledge_base', [knowledgeBaseId])(knowledgeBaseId)
  const total = documents.ready + documents.queued + documents.failed
  const found = embedding ? words.byMeaning(embedding.model_id) : words.byWords
  return (
    <span className={styles.summary}>
      <span>
        {words.summary(words.documentCount(total), words.passageCount(chunks))} · {found}
      </span>
      <UserLinks users={users} none={words.unused} />
    </span>
  )
}

function BaseTabs({ base, isReading }: { base: KnowledgeBase; isReading: boolean }) {
  const [{ tab }, setParams] = useSearchParams(PARAMS)
  const { knowledgeBaseId, chunks, embedding, next_embedding: next } = base
  useRenameKey(useRefusal('build'), () => {
    setParams({ tab: 'settings' })
    showSetting('name')
  })
  const sending = useDocumentUploads(knowledgeBaseId)
  const held = useLeaveGuard(sending.isBusy)
  return (
    <>
      {next && (
        <Callout tone={next.error ? 'warn' : 'info'}>
          {next.error ? words.switchFailed(next.error) : words.switching(next.model_id)}
          <Suspense>
            {embedding && <KeepEmbedding knowledgeBaseId={knowledgeBaseId} embedding={embedding} />}
          </Suspense>
        </Callout>
      )}
      <TabBar
        label={base.name}
        tabs={TABS.map((id) => ({ id, label: words.tabs[id] }))}
        value={tab}
        onChange={(id) => setParams({ tab: id }, { push: true })}
      >
        <Suspense fallback={<Skeleton lines={8} />}>
          {tab === 'documents' && (
            <DocumentsTab knowledgeBaseId={knowledgeBaseId} isReading={isReading} sending={sending} />
          )}
          {tab === 'search' && (
            <SearchTab
              knowledgeBaseId={knowledgeBaseId}
              passageCount={chunks}
              hasEmbedding={embedding !== null}
            />
          )}
          {tab === 'settings' && <BaseSettingsTab base={base} />}
        </Suspense>
      </TabBar>
      <LeaveQuestion held={held} title={words.leaveTitle} action={words.leaveAction}>
        {words.leaveDetail}
      </LeaveQuestion>
    </>
  )
}
