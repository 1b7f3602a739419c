import type { BuilderWorkflow, TimelineEntry } from '@troupe/contract/builder'
import { History } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { LinkButton } from '../../../atoms/controls/text-link.tsx'
import { Markdown } from '../../../atoms/markdown/markdown.tsx'
import { ActionMenu } from '../../../atoms/overlays/menu.tsx'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { DraftMark, LiveMark } from '../../../atoms/states/badge.tsx'
import { MomentText } from '../../../atoms/states/moment-text.tsx'
import { Empty } from '../../../atoms/states/panels.tsx'
import { serverNow } from '../../../core/format/server-clock.ts'
import { fullTime, relativeTime } from '../../../core/format/times.ts'
import { authorName } from '../../../core/labels/author-name.ts'
import { versionWords as words } from '../../../core/messages/en/workflows/publish.ts'
import { textParam } from '../../../core/url/search-params.ts'
import { useEntryRefusal } from '../../../infrastructure/queries/use-entry-refusal.ts'
import { useKeysetOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../../infrastructure/routing/place.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { ComparePanel } from './compare-panel.tsx'
import { sideOfRevision } from './compared-sides.ts'
import { type DescribedVersion, DescribeVersionDialog } from './describe-version-dialog.tsx'
import { RestoreDialog, type RestoredState } from './restore-dialog.tsx'
import styles from './versions.module.css'

const PARAMS = { compare: textParam }
const LIMIT = 50

type Question = { kind: 'describe'; version: DescribedVersion } | { kind: 'restore'; state: RestoredState }

/** Every publish, kept state and change of the draft, newest first: words, comparison, restoring. */
export function VersionsTab({ workflow }: { workflow: BuilderWorkflow }) {
  const { workflowId } = workflow
  const { paths } = usePlace()
  const [{ compare }, setParams] = useSearchParams(PARAMS)
  const [question, setQuestion] = useState<Question | null>(null)
  const timeline = useKeysetOperation('listWorkflowTimeline', {
    params: { workflowId },
    query: { limit: LIMIT },
  })
  const onCompare = (from: string, to: string) => setParams({ compare: `${from}..${to}` }, { push: true })
  const onRestore = (state: RestoredState) => setQuestion({ kind: 'restore', state })
  return (
    <div className={styles.tab}>
      <AskedPanel asked={timeline} failed={words.failed} lines={6}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty
              picture={<History size={22} />}
              title={words.emptyTitle}
              actions={
                <LinkButton href={paths.workflow(workflowId, 'publish')}>{words.toPublish}</LinkButton>
              }
            >
              {words.empty}
            </Empty>
          ) : (
            <>
              <ComparePanel
                workflow={workflow}
                entries={entries}
                compare={compare}
                onChange={(next) => setParams({ compare: next })}
              />
              <ol className={styles.timeline} aria-label={words.timeline}>
                {!workflow.isDraftPublished && <DraftEntry workflow={workflow} />}
                {entries.map((entry) =>
                  entry.kind === 'version' && entry.versionId !== null && entry.number !== null ? (
                    <VersionEntry
                      key={entry.versionId}
                      entry={entry}
                      version={{
                        ...{ workflowId, versionId: entry.versionId, number: entry.number },
                        ...{ label: entry.label, note: entry.note },
                      }}
                      onDescribe={(version) => setQuestion({ kind: 'describe', version })}
                      {...{ onCompare, onRestore }}
                    />
                  ) : (
                    <ChangeEntry
                      key={`${entry.kind} ${entry.revision} ${entry.at}`}
                      entry={entry}
                      {...{ onCompare, onRestore }}
                    />
                  ),
                )}
              </ol>
              {timeline.hasMore && (
                <Button size="small" isPending={timeline.isLoadingMore} onPress={timeline.loadMore}>
                  {words.more}
                </Button>
              )}
            </>
          )
        }
      </AskedPanel>
      {question?.kind === 'describe' && (
        <DescribeVersionDialog version={question.version} onClose={() => setQuestion(null)} />
      )}
      {question?.kind === 'restore' && (
        <RestoreDialog workflow={workflow} state={question.state} onClose={() => setQuestion(null)} />
      )}
    </div>
  )
}

function DraftEntry({ workflow }: { workflow: BuilderWorkflow }) {
  const { person } = usePlace().session
  const { updatedBy, updatedAt } = workflow
  const when = relativeTime(updatedAt, serverNow())
  return (
    <li className={styles.entry} data-kind="draft">
      <div className={styles.head}>
        <DraftMark>{words.draft}</DraftMark>
        <span className={styles.muted}>{words.draftDetail(authorName(updatedBy, person.userId), when)}</span>
      </div>
    </li>
  )
}

interface EntryProps {
  entry: TimelineEntry
  onCompare(from: string, to: string): void
  onRestore(state: RestoredState): void
}

interface VersionEntryProps extends EntryProps {
  version: DescribedVersion
  onDescribe(version: DescribedVersion): void
}

function VersionEntry({ entry, version, onCompare, onRestore, onDescribe }: VersionEntryProps) {
  const { session } = usePlace()
  const refusedToBuild = useEntryRefusal('build')
  const { versionId, number, label, note } = version
  const { isActive, by, at } = entry
  return (
    <li className={styles.entry} {...(isActive ? { 'data-kind': 'live' } : {})}>
      <div className={styles.head}>
        {isActive ? (
          <LiveMark version={number} />
        ) : (
          <span className={styles.number}>{words.version(number)}</span>
        )}
        {label && <b className={styles.label}>{label}</b>}
        <span className={styles.muted}>
          <MomentText at={at} /> {words.by(authorName(by, session.person.userId))}
        </span>
        <span className={styles.end}>
          <ActionMenu
            label={words.actions(number)}
            groups={[
              {
                id: 'compare',
                entries: [
                  {
                    id: 'draft',
                    label: words.withDraft,
                    onAction: () => onCompare(String(number), 'draft'),
                  },
                  {
                    id: 'before',
                    label: words.withBefore,
                    isDisabled: number === 1,
                    onAction: () => onCompare(String(number - 1), String(number)),
                  },
                ],
              },
              {
                id: 'change',
                entries: [
                  {
                    id: 'describe',
                    label: words.describe,
                    ...refusedToBuild,
                    onAction: () => onDescribe(version),
                  },
                  {
                    id: 'restore',
                    label: words.restore,
                    ...refusedToBuild,
                    onAction: () => onRestore({ name: words.ofVersion(number), versionId }),
                  },
                ],
              },
            ]}
          />
        </span>
      </div>
      {note && <Markdown text={note} />}
    </li>
  )
}

/** Saves of one person, or a kept state of the draft. */
function ChangeEntry({ entry, onCompare, onRestore }: EntryProps) {
  const { session } = usePlace()
  const refusedToBuild = useEntryRefusal('build')
  const { kind, revision, fromRevision, reason, label, gestures, count, by, at, isKept } = entry
  const what = kind === 'changes' ? words.changes(count) : words.reasons[reason ?? 'asked']
  const did = [...new Set(gestures)]
  return (
    <li className={styles.entry} data-kind={kind === 'changes' ? 'changes' : 'draft'}>
      <div className={styles.head}>
        <span className={styles.number}>{what}</span>
        {label && <b className={styles.label}>{label}</b>}
        <span className={styles.muted}>
          <MomentText at={at} /> {words.by(authorName(by, session.person.userId))}
        </span>
        {isKept && revision !== null ? (
          <span className={styles.end}>
            <ActionMenu
              label={words.changeActions(what, fullTime(at))}
              groups={[
                {
                  id: 'compare',
                  entries: [
                    {
                      id: 'draft',
                      label: words.withDraft,
                      onAction: () => onCompare(sideOfRevision(revision), 'draft'),
                    },
                    ...(fromRevision === null
                      ? []
                      : [
                          {
                            id: 'before',
                            label: words.withBeforeChanges,
                            onAction: () => onCompare(sideOfRevision(fromRevision), sideOfRevision(revision)),
                          },
                        ]),
                  ],
                },
                {
                  id: 'change',
                  entries: [
                    {
                      id: 'restore',
                      label: words.restore,
                      ...refusedToBuild,
                      onAction: () => onRestore({ name: words.ofMoment(fullTime(at)), revision }),
                    },
                  ],
                },
              ]}
            />
          </span>
        ) : (
          <span className={styles.muted}>{words.gone}</span>
        )}
      </div>
      {did.length > 0 && (
        <p className={styles.muted}>
          {did.join(' · ')}
          {count > gestures.length ? ' …' : ''}
        </p>
      )}
    </li>
  )
}
