import type { BuilderWorkflow, TimelineEntry } from '@troupe/contract/builder'
import { History } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { LinkButton } from '../../../atoms/controls/text-link.tsx'
import { Markdown } from '../../../atoms/markdown/markdown.tsx'
import { useArrivals } from '../../../atoms/motion/use-arrivals.ts'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { Badge, DraftMark, LiveMark } from '../../../atoms/states/badge.tsx'
import { MomentText } from '../../../atoms/states/moment-text.tsx'
import { Empty } from '../../../atoms/states/panels.tsx'
import { fullTime } from '../../../core/format/times.ts'
import { authorFirst } from '../../../core/labels/author-name.ts'
import { versionListWords } from '../../../core/messages/en/parts/versions.ts'
import { versionWords as words } from '../../../core/messages/en/workflows/publish.ts'
import { textParam } from '../../../core/url/search-params.ts'
import { useEntryRefusal } from '../../../infrastructure/queries/use-entry-refusal.ts'
import { useKeysetOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../../infrastructure/routing/place.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { VersionRow } from '../../../parts/versions/version-row.tsx'
import { VersionsHint, VersionsLayout } from '../../../parts/versions/versions-layout.tsx'
import { ComparePanel, DRAFT, firstComparison } from './compare-panel.tsx'
import { sideOfRevision } from './compared-sides.ts'
import { type DescribedVersion, DescribeVersionDialog } from './describe-version-dialog.tsx'
import { entryKeys } from './entry-keys.ts'
import { RestoreDialog, type RestoredState } from './restore-dialog.tsx'

const PARAMS = { compare: textParam }
const LIMIT = 50

type Question = { kind: 'describe'; version: DescribedVersion } | { kind: 'restore'; state: RestoredState }

/** Every publish, kept state and change of the draft, newest first: labels, comparison, restoring. */
export function VersionsTab({ workflow }: { workflow: BuilderWorkflow }) {
  const { workflowId } = workflow
  const { paths } = usePlace()
  const [{ compare }, setParams] = useSearchParams(PARAMS)
  const [question, setQuestion] = useState<Question | null>(null)
  const timeline = useKeysetOperation('listWorkflowTimeline', {
    params: { workflowId },
    query: { limit: LIMIT },
  })
  const keys = timeline.data ? entryKeys(timeline.data) : null
  const arrived = useArrivals(workflowId, keys, timeline.hasMore)
  const onCompare = (next: string) => setParams({ compare: next }, { push: true })
  const onRestore = (state: RestoredState) => setQuestion({ kind: 'restore', state })
  const onDescribe = (version: DescribedVersion) => setQuestion({ kind: 'describe', version })
  return (
    <>
      <AskedPanel asked={timeline} failed={words.failed} lines={6}>
        {(entries) => {
          const first = firstComparison(workflow, entries)
          const shown = compare === '' ? first : compare
          if (entries.length === 0) {
            return (
              <Empty
                picture={<History size={22} />}
                title={words.emptyTitle}
                actions={
                  <LinkButton href={paths.workflow(workflowId, 'publish')}>{words.toPublish}</LinkButton>
                }
              >
                {words.empty}
              </Empty>
            )
          }
          return (
            <VersionsLayout
              label={words.timeline}
              isAsked={compare !== ''}
              rows={
                <>
                  {!workflow.isDraftPublished && (
                    <DraftRow workflow={workflow} shown={shown} own={first} onCompare={onCompare} />
                  )}
                  {entries.map((entry, index) =>
                    entry.kind === 'version' && entry.versionId !== null && entry.number !== null ? (
                      <PublishedRow
                        key={keys?.[index]}
                        isNew={arrived.has(keys?.[index] ?? '')}
                        entry={entry}
                        version={{
                          ...{ workflowId, versionId: entry.versionId, number: entry.number },
                          ...{ label: entry.label, note: entry.note },
                        }}
                        {...{ shown, onCompare, onRestore, onDescribe }}
                      />
                    ) : (
                      <ChangeRow
                        key={keys?.[index]}
                        isNew={arrived.has(keys?.[index] ?? '')}
                        entry={entry}
                        {...{ shown, onCompare, onRestore }}
                      />
                    ),
                  )}
                </>
              }
              more={
                timeline.hasMore && (
                  <Button size="small" isPending={timeline.isLoadingMore} onPress={timeline.loadMore}>
                    {words.more}
                  </Button>
                )
              }
            >
              {shown === null ? (
                <VersionsHint />
              ) : (
                <ComparePanel {...{ workflow, entries, onRestore }} compare={shown} onChange={onCompare} />
              )}
            </VersionsLayout>
          )
        }}
      </AskedPanel>
      {question?.kind === 'describe' && (
        <DescribeVersionDialog version={question.version} onClose={() => setQuestion(null)} />
      )}
      {question?.kind === 'restore' && (
        <RestoreDialog workflow={workflow} state={question.state} onClose={() => setQuestion(null)} />
      )}
    </>
  )
}

interface DraftRowProps {
  workflow: BuilderWorkflow
  /** The two compared states; null: none. */
  shown: string | null
  /** The comparison opened by the row; null: the draft has no earlier state. */
  own: string | null
  onCompare(compare: string): void
}

function DraftRow({ workflow, shown, own, onCompare }: DraftRowProps) {
  const { person } = usePlace().session
  const { updatedBy, updatedAt } = workflow
  return (
    <VersionRow
      mark={<DraftMark>{words.draft}</DraftMark>}
      label={words.unpublished}
      made={<Made by={authorFirst(updatedBy, person.userId)} at={updatedAt} />}
      isChosen={own !== null && shown === own}
      onChoose={own === null ? null : () => onCompare(own)}
      actions={null}
    />
  )
}

function Made({ by, at }: { by: string; at: string }) {
  return (
    <>
      {by} · <MomentText at={at} />
    </>
  )
}

interface RowProps {
  entry: TimelineEntry
  isNew: boolean
  /** The two compared states; null: none. */
  shown: string | null
  onCompare(compare: string): void
  onRestore(state: RestoredState): void
}

interface PublishedRowProps extends RowProps {
  version: DescribedVersion
  onDescribe(version: DescribedVersion): void
}

function PublishedRow({ entry, isNew, version, shown, onCompare, onRestore, onDescribe }: PublishedRowProps) {
  const { person } = usePlace().session
  const refusedToBuild = useEntryRefusal('build')
  const { versionId, number, label, note } = version
  const { isActive, by, at } = entry
  const name = versionListWords.version(number)
  const own = `${Math.max(1, number - 1)}..${number}`
  return (
    <VersionRow
      mark={isActive ? <LiveMark version={number} /> : <Badge>{name}</Badge>}
      label={label}
      made={<Made by={authorFirst(by, person.userId)} at={at} />}
      note={note && <Markdown text={note} />}
      isChosen={shown === own}
      isNew={isNew}
      onChoose={() => onCompare(own)}
      actions={{
        label: versionListWords.actions(name),
        groups: [
          {
            id: 'version',
            entries: [
              {
                id: 'draft',
                label: words.withDraft,
                onAction: () => onCompare(`${number}..${DRAFT}`),
              },
              {
                id: 'label',
                label: versionListWords.label,
                ...refusedToBuild,
                onAction: () => onDescribe(version),
              },
              {
                id: 'restore',
                label: versionListWords.restore,
                ...refusedToBuild,
                onAction: () => onRestore({ name: words.ofVersion(number), versionId }),
              },
            ],
          },
        ],
      }}
    />
  )
}

/** Saves of one user, or a kept state of the draft. */
function ChangeRow({ entry, isNew, shown, onCompare, onRestore }: RowProps) {
  const { person } = usePlace().session
  const refusedToBuild = useEntryRefusal('build')
  const { kind, revision, fromRevision, reason, label, gestures, count, by, at, isKept } = entry
  const what = kind === 'changes' ? words.changes(count) : words.reasons[reason ?? 'asked']
  const did =
    [...new Set(gestures)].join(' · ') + (count > gestures.length && gestures.length > 0 ? ' …' : '')
  const kept = isKept && revision !== null ? revision : null
  const own =
    kept === null
      ? null
      : `${sideOfRevision(fromRevision ?? kept)}..${fromRevision === null ? DRAFT : sideOfRevision(kept)}`
  return (
    <VersionRow
      mark={<DraftMark>{words.draft}</DraftMark>}
      label={label ?? what}
      made={<Made by={authorFirst(by, person.userId)} at={at} />}
      facts={kept === null ? words.gone : [label === null ? '' : what, did].filter(Boolean).join(' · ')}
      isChosen={own !== null && shown === own}
      isNew={isNew}
      onChoose={own === null ? null : () => onCompare(own)}
      actions={
        kept === null
          ? null
          : {
              label: words.changeActions(what, fullTime(at)),
              groups: [
                {
                  id: 'version',
                  entries: [
                    {
                      id: 'draft',
                      label: words.withDraft,
                      onAction: () => onCompare(`${sideOfRevision(kept)}..${DRAFT}`),
                    },
                    {
                      id: 'restore',
                      label: versionListWords.restore,
                      ...refusedToBuild,
                      onAction: () => onRestore({ name: words.ofMoment(fullTime(at)), revision: kept }),
                    },
                  ],
                },
              ],
            }
      }
    />
  )
}
