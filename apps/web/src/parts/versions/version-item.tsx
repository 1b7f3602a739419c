import type { ListedVersion } from '@troupe/contract/builder'
import { BareButton } from '../../atoms/controls/bare-button.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { Badge, LiveMark } from '../../atoms/states/badge.tsx'
import { DayOfRuns } from '../../atoms/states/day-of-runs.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import type { ConfigKind } from '../../core/forms/check-content.ts'
import { authorFirst } from '../../core/labels/author-name.ts'
import { configVersionWords as words } from '../../core/messages/en/parts/versions.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { playgroundPath } from './playground-path.ts'
import styles from './versions.module.css'

export interface VersionItemProps {
  kind: ConfigKind
  id: string
  version: ListedVersion
  /** False: callers cannot run any version of it. */
  isLive: boolean
  isChosen: boolean
  onChoose(): void
  onLabel(): void
  onRestore(): void
}

/** One version in the list: what it is called, whose it is, and what can be done with it. */
export function VersionItem({
  kind,
  id,
  version,
  isLive,
  isChosen,
  onChoose,
  onLabel,
  onRestore,
}: VersionItemProps) {
  const { paths } = usePlace()
  const { number, label, note, createdBy, createdAt, current, runs } = version
  const name = words.version(number)
  const refusedToBuild = useEntryRefusal('build')
  return (
    <li className={styles.row} data-chosen={isChosen || undefined}>
      <BareButton className={styles.choose} onPress={onChoose} aria-pressed={isChosen}>
        <span className={styles.head}>
          {current && isLive ? <LiveMark version={number} /> : <Badge>{name}</Badge>}
          {label !== null && <strong className={styles.label}>{label}</strong>}
        </span>
        <span className={styles.quiet}>
          {authorFirst(createdBy)} · <MomentText at={createdAt} />
        </span>
        {runs.ok + runs.failed > 0 && (
          <span className={styles.quiet}>
            <DayOfRuns {...runs} words={words.day} />
          </span>
        )}
        {note !== null && <span className={styles.note}>{note}</span>}
      </BareButton>
      <ActionMenu
        label={words.actions(name)}
        groups={[
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
        ]}
      />
    </li>
  )
}
