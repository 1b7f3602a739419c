import type { WorkflowVersion } from '@troupe/contract'
import type { BuilderWorkflow } from '@troupe/contract/builder'
import { History } from 'lucide-react'
import { useState } from 'react'
import { LinkButton } from '../../../atoms/controls/text-link.tsx'
import { Markdown } from '../../../atoms/markdown/markdown.tsx'
import { ActionMenu } from '../../../atoms/overlays/menu.tsx'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { DraftMark, LiveMark } from '../../../atoms/states/badge.tsx'
import { MomentText } from '../../../atoms/states/moment-text.tsx'
import { Empty } from '../../../atoms/states/panels.tsx'
import { PageTurner } from '../../../atoms/table/page-turner.tsx'
import { serverNow } from '../../../core/format/server-clock.ts'
import { relativeTime } from '../../../core/format/times.ts'
import { authorName } from '../../../core/labels/author-name.ts'
import { listWords } from '../../../core/messages/en/lists.ts'
import { versionWords as words } from '../../../core/messages/en/workflows/publish.ts'
import { countParam, textParam } from '../../../core/url/search-params.ts'
import { useEntryRefusal } from '../../../infrastructure/queries/use-entry-refusal.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../../infrastructure/routing/place.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { ComparePanel } from './compare-panel.tsx'
import { DescribeVersionDialog } from './describe-version-dialog.tsx'
import { RestoreDialog } from './restore-dialog.tsx'
import styles from './versions.module.css'

const PARAMS = { compare: textParam, page: countParam }
const LIMIT = 50

type Question = { kind: 'describe' | 'restore'; version: WorkflowVersion }

/** Every graph that was published, newest first: words, comparison, restoring. */
export function VersionsTab({ workflow }: { workflow: BuilderWorkflow }) {
  const { workflowId } = workflow
  const { paths } = usePlace()
  const [{ compare, page }, setParams] = useSearchParams(PARAMS)
  const [question, setQuestion] = useState<Question | null>(null)
  const versions = useOperation('listWorkflowVersions', {
    params: { workflowId },
    query: { page, limit: LIMIT },
  })
  return (
    <div className={styles.tab}>
      <AskedPanel asked={versions} failed={words.failed} lines={6}>
        {({ data, total }) =>
          total === 0 ? (
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
                versions={data}
                total={total}
                compare={compare}
                onChange={(next) => setParams({ compare: next })}
              />
              <ol className={styles.timeline} aria-label={words.timeline}>
                {!workflow.isDraftPublished && <DraftEntry workflow={workflow} />}
                {data.map((version) => (
                  <VersionEntry
                    key={version.versionId}
                    version={version}
                    onAsk={(kind) => setQuestion({ kind, version })}
                    onCompare={(from, to) => setParams({ compare: `${from}..${to}` }, { push: true })}
                  />
                ))}
              </ol>
              <PageTurner
                page={page}
                limit={LIMIT}
                total={total}
                words={listWords}
                onTurn={(page, turn) => setParams({ page }, turn)}
              />
            </>
          )
        }
      </AskedPanel>
      {question?.kind === 'describe' && (
        <DescribeVersionDialog version={question.version} onClose={() => setQuestion(null)} />
      )}
      {question?.kind === 'restore' && (
        <RestoreDialog workflow={workflow} version={question.version} onClose={() => setQuestion(null)} />
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

interface VersionEntryProps {
  version: WorkflowVersion
  onAsk(kind: Question['kind']): void
  onCompare(from: string, to: string): void
}

function VersionEntry({ version, onAsk, onCompare }: VersionEntryProps) {
  const { session } = usePlace()
  const refusedToBuild = useEntryRefusal('build')
  const { number, active, label, note, createdBy, createdAt } = version
  return (
    <li className={styles.entry} {...(active ? { 'data-kind': 'live' } : {})}>
      <div className={styles.head}>
        {active ? (
          <LiveMark version={number} />
        ) : (
          <span className={styles.number}>{words.version(number)}</span>
        )}
        {label && <b className={styles.label}>{label}</b>}
        <span className={styles.muted}>
          <MomentText at={createdAt} /> {words.by(authorName(createdBy, session.person.userId))}
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
                    onAction: () => onAsk('describe'),
                  },
                  {
                    id: 'restore',
                    label: words.restore,
                    ...refusedToBuild,
                    onAction: () => onAsk('restore'),
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
