import type { AnyVersionId, IdText } from '@troupe/contract'
import type { Version } from '@troupe/contract/builder'
import { GitCompareArrows } from 'lucide-react'
import { useState } from 'react'
import { useArrivals } from '../../atoms/motion/use-arrivals.ts'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import { PageTurner } from '../../atoms/table/page-turner.tsx'
import type { ConfigKind } from '../../core/forms/check-content.ts'
import { configVersionWords as words } from '../../core/messages/en/parts/versions.ts'
import { countParam } from '../../core/url/search-params.ts'
import { type AskedVersions, comparedOf, comparedParam } from '../../core/versions/compared-versions.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { ConfigLabelDialog } from './config-label-dialog.tsx'
import { RestoreVersionDialog } from './restore-version-dialog.tsx'
import { VersionDiff } from './version-diff.tsx'
import { VersionItem } from './version-item.tsx'
import { useVersionBefore, useVersionList, VERSIONS_PAGE } from './version-source.ts'
import { VersionsHint, VersionsLayout } from './versions-layout.tsx'

export interface VersionsPanelProps {
  kind: ConfigKind
  id: string
  /** The live version, or the one that would be live if the resource were active. */
  currentVersionId: IdText<AnyVersionId>
  isLive: boolean
}

const PARAMS = { compare: comparedParam, versions: countParam }

/** The open dialog of one version. */
type Question = { kind: 'label' | 'restore'; version: Version }

/** The versions of an agent or a team: their authors, differences, and restores. */
export function VersionsPanel({ kind, id, currentVersionId, isLive }: VersionsPanelProps) {
  const [{ compare, versions: page }, setParams] = useSearchParams(PARAMS)
  const [question, setQuestion] = useState<Question | null>(null)
  const versions = useVersionList(kind, id, { page, limit: VERSIONS_PAGE })
  const ids = versions.isFormer ? null : (versions.data?.data.map(({ versionId }) => versionId) ?? null)
  const arrived = useArrivals(`${id} ${page}`, ids, true)
  const before = useVersionBefore(kind, id, page, versions.data?.total ?? 0)
  const close = () => setQuestion(null)
  return (
    <AskedPanel asked={versions} failed={words.failed} lines={8}>
      {({ data, total }) => {
        const asked = compare ?? newestChange(data)
        const shown = asked && comparedOf(asked, data, before, currentVersionId)
        const show = (next: AskedVersions) => setParams({ compare: next }, { push: true })
        if (data.length === 0) {
          return (
            <Empty picture={<GitCompareArrows size={22} />} title={words.emptyTitle}>
              {words.empty}
            </Empty>
          )
        }
        return (
          <>
            <VersionsLayout
              label={words.title}
              isAsked={compare !== null}
              rows={data.map((version, index) => (
                <VersionItem
                  key={version.versionId}
                  {...{ kind, id, version, isLive }}
                  isChosen={shown?.to === version.versionId}
                  isNew={arrived.has(version.versionId)}
                  onChoose={() => show(changeOf(version, data[index + 1] ?? before))}
                  onLabel={() => setQuestion({ kind: 'label', version })}
                  onRestore={() => setQuestion({ kind: 'restore', version })}
                />
              ))}
              more={
                <PageTurner
                  page={page}
                  limit={VERSIONS_PAGE}
                  total={total}
                  words={{ previous: words.newer, next: words.older, pages: words.pages }}
                  onTurn={(next, turn) => setParams({ versions: next, compare: null }, turn)}
                />
              }
            >
              {shown ? (
                <VersionDiff
                  {...{ kind, id, shown, currentVersionId }}
                  versions={data}
                  onShow={show}
                  onRestore={(version) => setQuestion({ kind: 'restore', version })}
                />
              ) : (
                <VersionsHint />
              )}
            </VersionsLayout>
            {question?.kind === 'label' && (
              <ConfigLabelDialog {...{ kind, id }} version={question.version} onClose={close} />
            )}
            {question?.kind === 'restore' && (
              <RestoreVersionDialog
                {...{ kind, id, currentVersionId }}
                version={question.version}
                onClose={close}
              />
            )}
          </>
        )
      }}
    </AskedPanel>
  )
}

/** The changes of a version. The version before it may not be loaded yet. */
function changeOf(version: Version, former: Version | undefined): AskedVersions {
  return { from: former?.versionId ?? null, to: version.versionId }
}

function newestChange([newest, former]: readonly Version[]): AskedVersions | null {
  return newest ? changeOf(newest, former) : null
}
