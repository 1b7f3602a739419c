import type { ListedVersion } from '@troupe/contract/builder'
import { Badge, LiveMark } from '../../atoms/states/badge.tsx'
import { DayOfRuns } from '../../atoms/states/day-of-runs.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import type { ConfigKind } from '../../core/forms/check-content.ts'
import { authorFirst } from '../../core/labels/author-name.ts'
import { configVersionWords as words } from '../../core/messages/en/parts/versions.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { playgroundPath } from './playground-path.ts'
import { VersionRow } from './version-row.tsx'

export interface VersionItemProps {
  kind: ConfigKind
  id: string
  version: ListedVersion
  /** False: callers cannot run any version of it. */
  isLive: boolean
  isChosen: boolean
  isNew: boolean
  onChoose(): void
  onLabel(): void
  onRestore(): void
}

/** One version in the list: its name, author and actions. */
export function VersionItem({
  kind,
  id,
  version,
  isLive,
  isChosen,
  isNew,
  onChoose,
  onLabel,
  onRestore,
}: VersionItemProps) {
  const { paths } = usePlace()
  const { number, label, note, createdBy, createdAt, current, runs } = version
  const name = words.version(number)
  const refusedToBuild = useEntryRefusal('build')
  return (
    <VersionRow
      mark={current && isLive ? <LiveMark version={number} /> : <Badge>{name}</Badge>}
      label={label}
      made={
        <>
          {authorFirst(createdBy)} · <MomentText at={createdAt} />
        </>
      }
      facts={runs.ok + runs.failed > 0 && <DayOfRuns {...runs} words={words.day} />}
      note={note}
      isChosen={isChosen}
      isNew={isNew}
      onChoose={onChoose}
      actions={{
        label: words.actions(name),
        groups: [
          {
            id: 'version',
            entries: [
              { id: 'use', label: words.use, href: playgroundPath(paths, kind, id, version.versionId) },
              { id: 'label', label: words.label, onAction: onLabel, ...refusedToBuild },
              {
                id: 'restore',
                label: words.restore,
                isDisabled: current,
                onAction: onRestore,
                ...refusedToBuild,
              },
            ],
          },
        ],
      }}
    />
  )
}
