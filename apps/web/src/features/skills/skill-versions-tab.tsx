import type { Skill } from '@troupe/contract'
import type { ShownSkillVersion } from '@troupe/contract/builder'
import { useState } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { useArrivals } from '../../atoms/motion/use-arrivals.ts'
import { ConfirmDialog } from '../../atoms/overlays/confirm-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Badge, LiveMark } from '../../atoms/states/badge.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { PageTurner } from '../../atoms/table/page-turner.tsx'
import { byteSize } from '../../core/format/numbers.ts'
import { versionListWords } from '../../core/messages/en/parts/versions.ts'
import { skillWords } from '../../core/messages/en/resources/skills.ts'
import { PAGE_ROWS } from '../../core/url/list-params.ts'
import { withSearch } from '../../core/url/paths.ts'
import { countParam, optionalParam } from '../../core/url/search-params.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { VersionConflict } from '../../parts/unsaved/version-conflict.tsx'
import { Comparison, FirstVersion } from '../../parts/versions/comparison.tsx'
import { VersionRow } from '../../parts/versions/version-row.tsx'
import { VersionsLayout } from '../../parts/versions/versions-layout.tsx'
import { SkillDiff } from './skill-diff.tsx'
import { SkillFailure } from './skill-failure.tsx'
import { useNextVersion } from './use-next-version.ts'

const words = skillWords.versions
const PARAMS = { page: countParam, compare: optionalParam }

/** Every version of a skill: view it, compare it with another one, restore it. */
export function SkillVersionsTab({ skill }: { skill: Skill }) {
  const { skillId, version: newest } = skill
  // The newest version is determined by the skill, not by the list.
  const asked = useOperation('getSkill', { params: { skillId } })
  const [{ page, compare }, setParams] = useSearchParams(PARAMS)
  const versions = useOperation('listSkillVersions', {
    params: { skillId },
    query: { page, limit: PAGE_ROWS },
  })
  const ids = versions.isFormer ? null : (versions.data?.data.map(({ version }) => String(version)) ?? null)
  const arrived = useArrivals(`${skillId} ${page}`, ids, true)
  const next = useNextVersion(skill)
  const [asking, setAsking] = useState<ShownSkillVersion | null>(null)
  const [restored, setRestored] = useState<ShownSkillVersion | null>(null)
  const restore = async (version: ShownSkillVersion, base: number) => {
    setAsking(null)
    setRestored(version)
    const saved = await next.save(version, {}, base)
    if (saved) showNotice({ title: words.restored(version.version, saved.version) })
  }
  const shown = comparedVersions(compare) ?? changeOf(newest)
  const refusal = useRefusal('build')
  const isFirst = shown.before === 1 && shown.after === 1
  const onCompare = (next: Compared) =>
    setParams({ compare: `${next.before}..${next.after}` }, { push: true })
  return (
    <>
      <SkillFailure title={words.restoreFailed} failure={next.failure} />
      <VersionConflict
        change={next}
        what={skillWords.noun}
        onTakeTheirs={() => {
          asked.retry()
          versions.retry()
        }}
        onKeepMine={(base) => restored && void restore(restored, base)}
      />
      <AskedPanel asked={versions} failed={words.failed} lines={8}>
        {({ data, total }) => {
          const other = shown.after === newest ? shown.before : shown.after
          const old = data.find(({ version }) => version === other && version !== newest)
          const restore = old && (
            <RefusableButton
              size={isFirst ? 'medium' : 'small'}
              refusal={refusal}
              isPending={next.isPending}
              onPress={() => setAsking(old)}
            >
              {versionListWords.restoreOf(versionListWords.version(old.version))}
            </RefusableButton>
          )
          return (
            <VersionsLayout
              label={versionListWords.title}
              isAsked={compare !== null}
              rows={data.map((version) => (
                <SkillVersionRow
                  key={version.version}
                  {...{ skill, version }}
                  isChosen={shown.after === version.version}
                  isNew={arrived.has(String(version.version))}
                  isPending={next.isPending}
                  onChoose={() => onCompare(changeOf(version.version))}
                  onRestore={() => setAsking(version)}
                />
              ))}
              more={
                <PageTurner
                  page={page}
                  limit={PAGE_ROWS}
                  total={total}
                  words={{
                    previous: versionListWords.newer,
                    next: versionListWords.older,
                    pages: versionListWords.pages,
                  }}
                  onTurn={(turned, turn) => setParams({ page: turned, compare: null }, turn)}
                />
              }
            >
              {isFirst ? (
                <FirstVersion
                  name={versionListWords.version(1)}
                  isOnly={newest === 1}
                  actions={
                    newest > 1 && (
                      <>
                        <Button onPress={() => onCompare({ before: 1, after: newest })}>
                          {versionListWords.withNewest}
                        </Button>
                        {restore}
                      </>
                    )
                  }
                />
              ) : (
                <Comparison
                  from={String(shown.before)}
                  to={String(shown.after)}
                  options={optionsOf([...data.map(({ version }) => version), shown.before, shown.after])}
                  onChange={(before, after) => onCompare({ before: Number(before), after: Number(after) })}
                  tools={restore}
                  hint={old && versionListWords.restoreHint(versionListWords.version(old.version))}
                >
                  {shown.before === shown.after ? (
                    <Callout>{versionListWords.sameVersion}</Callout>
                  ) : (
                    <SkillDiff key={`${shown.before} ${shown.after}`} skill={skill} {...shown} />
                  )}
                </Comparison>
              )}
            </VersionsLayout>
          )
        }}
      </AskedPanel>
      {asking && (
        <ConfirmDialog
          isOpen
          onClose={() => setAsking(null)}
          title={versionListWords.restoreTitle(versionListWords.version(asking.version))}
          action={versionListWords.restoreAction}
          onConfirm={() => void restore(asking, newest)}
        >
          {words.restoreText(versionListWords.version(asking.version), versionListWords.version(newest + 1))}
        </ConfirmDialog>
      )}
    </>
  )
}

interface SkillVersionRowProps {
  skill: Skill
  version: ShownSkillVersion
  isChosen: boolean
  isNew: boolean
  /** A restore is in progress. */
  isPending: boolean
  onChoose(): void
  onRestore(): void
}

function SkillVersionRow(props: SkillVersionRowProps) {
  const { skill, version, isChosen, isNew, isPending, onChoose, onRestore } = props
  const { paths } = usePlace()
  const refused = useEntryRefusal('build')
  const { version: number, files, description, createdAt } = version
  const isNewest = number === skill.version
  const name = versionListWords.version(number)
  const size = byteSize(files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0))
  return (
    <VersionRow
      mark={isNewest ? <LiveMark version={number} /> : <Badge>{name}</Badge>}
      made={<MomentText at={createdAt} />}
      facts={words.files(files.length, size)}
      note={description !== skill.description && description}
      isChosen={isChosen}
      isNew={isNew}
      onChoose={onChoose}
      actions={{
        label: versionListWords.actions(name),
        groups: [
          {
            id: 'version',
            entries: [
              {
                id: 'show',
                label: words.show,
                href: withSearch(paths.skill(skill.skillId), { version: isNewest ? null : String(number) }),
              },
              {
                id: 'restore',
                label: versionListWords.restore,
                isDisabled: isNewest || isPending,
                onAction: onRestore,
                ...refused,
              },
            ],
          },
        ],
      }}
    />
  )
}

interface Compared {
  before: number
  after: number
}

/** The changes of a version; the first one is compared with itself. */
const changeOf = (version: number): Compared => ({ before: Math.max(1, version - 1), after: version })

const optionsOf = (versions: readonly number[]) =>
  [...new Set(versions)]
    .toSorted((a, b) => b - a)
    .map((version) => ({ id: String(version), label: versionListWords.version(version) }))

/** `3..4`; null for anything else. */
function comparedVersions(text: string | null): Compared | null {
  const [, before, after] = /^(\d{1,9})\.\.(\d{1,9})$/.exec(text ?? '') ?? []
  return before && after ? { before: Number(before), after: Number(after) } : null
}
