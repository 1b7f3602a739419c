import type { AnyVersionId, IdText } from '@troupe/contract'
import type { Version, VersionDetails } from '@troupe/contract/builder'
import { changesBetween } from '@troupe/editor/values/config-content'
import { Button } from '../../atoms/controls/button.tsx'
import { LinkButton } from '../../atoms/controls/text-link.tsx'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { AskedOrBack } from '../../atoms/states/asked-or-back.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import type { ConfigKind } from '../../core/forms/check-content.ts'
import { changeLabel, type LabelOf } from '../../core/labels/change-label.ts'
import { agentSettingLabel, agentWordsOf } from '../../core/labels/setting-labels.ts'
import { teamSettingLabel, teamSettingWords } from '../../core/labels/team-setting-labels.ts'
import { inFormWords, valuesOfChanges } from '../../core/labels/value-text.ts'
import { configVersionWords as words } from '../../core/messages/en/parts/versions.ts'
import type { ComparedVersions } from '../../core/versions/compared-versions.ts'
import { useNamedWords } from '../../infrastructure/queries/use-named-words.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { SettingDiff } from '../unsaved/setting-diff.tsx'
import { Comparison, FirstVersion } from './comparison.tsx'
import { playgroundPath } from './playground-path.ts'
import { useVersionContent } from './version-source.ts'
import styles from './versions.module.css'

export interface VersionDiffProps {
  kind: ConfigKind
  id: string
  shown: ComparedVersions
  /** The versions of the page, to choose from. */
  versions: readonly Version[]
  /** The newest version. */
  currentVersionId: IdText<AnyVersionId>
  onShow(next: ComparedVersions): void
  onRestore(version: Version): void
}

/** The differences between any two versions, setting by setting. */
export function VersionDiff({
  kind,
  id,
  shown,
  versions,
  currentVersionId,
  onShow,
  onRestore,
}: VersionDiffProps) {
  const { paths } = usePlace()
  const refusal = useRefusal('build')
  const from = useVersionContent(kind, id, shown.from)
  const to = useVersionContent(kind, id, shown.to)
  const isOne = shown.from === shown.to
  const list = kind === 'agent' ? paths.agent(id, 'versions') : paths.team(id, 'versions')
  const back = <LinkButton href={list}>{words.all}</LinkButton>
  const listed = (versionId: IdText<AnyVersionId>) =>
    versions.find((version) => version.versionId === versionId)
  const chosen = listed(shown.to) ?? to.data
  const restored = [chosen, listed(shown.from) ?? from.data].find((version) => version?.current === false)
  const isFirst = isOne && chosen?.number === 1
  const restore = restored && (
    <RefusableButton
      size={isFirst ? 'medium' : 'small'}
      refusal={refusal}
      onPress={() => onRestore(restored)}
    >
      {words.restoreOf(words.version(restored.number))}
    </RefusableButton>
  )
  if (isFirst) {
    return (
      <FirstVersion
        name={words.version(chosen.number)}
        isOnly={restored === undefined}
        actions={
          restored && (
            <>
              <Button onPress={() => onShow({ from: shown.from, to: currentVersionId })}>
                {words.withNewest}
              </Button>
              {restore}
            </>
          )
        }
      />
    )
  }
  return (
    <Comparison
      {...shown}
      options={optionsOf(versions, [from.data, to.data])}
      onChange={(next, later) => onShow({ from: next, to: later })}
      tools={
        <>
          {!isOne && (
            <LinkButton size="small" href={playgroundPath(paths, kind, id, shown.from, shown.to)}>
              {words.sideBySide}
            </LinkButton>
          )}
          {restore}
        </>
      }
      hint={restored && words.restoreHint(words.version(restored.number))}
    >
      <AskedOrBack asked={from} failed={words.versionFailed} back={back}>
        {(before) => (
          <AskedOrBack asked={to} failed={words.versionFailed} back={back}>
            {(after) =>
              isOne ? <Callout>{words.sameVersion}</Callout> : <Changes {...{ kind, before, after }} />
            }
          </AskedOrBack>
        )}
      </AskedOrBack>
    </Comparison>
  )
}

/** The versions of the page, and compared ones of other pages. */
function optionsOf(versions: readonly Version[], known: readonly (VersionDetails | undefined)[]) {
  const all = [...versions, ...known.filter((one) => one !== undefined)]
  return [...new Map(all.map((one) => [one.versionId, one])).values()].map(
    ({ versionId, number, label }) => ({
      id: versionId,
      label: label === null ? words.version(number) : `${words.version(number)} · ${label}`,
    }),
  )
}

const contentOfVersion = ({ name, description, config }: VersionDetails) => ({ name, description, config })

interface ChangesProps {
  kind: ConfigKind
  before: VersionDetails
  after: VersionDetails
}

function Changes({ kind, before, after }: ChangesProps) {
  const labelOf: LabelOf = (path, item) =>
    kind === 'agent' ? agentSettingLabel(path, after.config, item) : teamSettingLabel(path)
  const changes = changesBetween(contentOfVersion(before), contentOfVersion(after))
  const wordsOf = useNamedWords(kind === 'agent' ? agentWordsOf : teamSettingWords, valuesOfChanges(changes))
  if (changes.length === 0) return <Callout tone="good">{words.same}</Callout>
  return (
    <>
      <h2 className={styles.quiet}>{words.changes(changes.length)}</h2>
      {changes.map((change) => (
        <SettingDiff
          key={`${change.path} ${change.kind}`}
          change={inFormWords(change, wordsOf)}
          label={changeLabel(change, labelOf)}
        />
      ))}
    </>
  )
}
