import type { Skill } from '@troupe/contract'
import type { ShownSkillVersion } from '@troupe/contract/builder'
import { useState } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { Section } from '../../atoms/layout/page.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Badge } from '../../atoms/states/badge.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { PagedTable } from '../../atoms/table/paged-table.tsx'
import { byteSize, wholeNumber } from '../../core/format/numbers.ts'
import { listWords } from '../../core/messages/en/lists.ts'
import { skillWords } from '../../core/messages/en/resources/skills.ts'
import { PAGE_ROWS } from '../../core/url/list-params.ts'
import { withSearch } from '../../core/url/paths.ts'
import { countParam, optionalParam } from '../../core/url/search-params.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { VersionConflict } from '../../parts/unsaved/version-conflict.tsx'
import { SkillDiff } from './skill-diff.tsx'
import { SkillFailure } from './skill-failure.tsx'
import { useNextVersion } from './use-next-version.ts'

const words = skillWords.versions
const PARAMS = { page: countParam, compare: optionalParam }

const columns = (newest: number): readonly Column<ShownSkillVersion>[] => [
  {
    id: 'version',
    title: words.columns.version,
    width: '136px',
    cell: ({ version }) => (
      <>
        {wholeNumber(version)} {version === newest && <Badge tone="good">{words.newest}</Badge>}
      </>
    ),
  },
  { id: 'about', title: words.columns.about, from: 'wide', cell: ({ description }) => description },
  {
    id: 'files',
    title: words.columns.files,
    align: 'end',
    width: '72px',
    cell: ({ files }) => wholeNumber(files.length),
  },
  {
    id: 'size',
    title: words.columns.size,
    align: 'end',
    width: '96px',
    from: 'wide',
    cell: ({ files }) => byteSize(files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)),
  },
  {
    id: 'made',
    title: words.columns.made,
    width: '136px',
    from: 'wide',
    cell: ({ createdAt }) => <MomentText at={createdAt} />,
  },
]

/** Every version of a skill: looking at it, comparing it with the one before, making it the newest again. */
export function SkillVersionsTab({ skill }: { skill: Skill }) {
  const { paths } = usePlace()
  const refused = useEntryRefusal('build')
  const { skillId } = skill
  // Which version is the newest is known from it, not from the list.
  const asked = useOperation('getSkill', { params: { skillId } })
  const [{ page, compare }, setParams] = useSearchParams(PARAMS)
  const versions = useOperation('listSkillVersions', {
    params: { skillId },
    query: { page, limit: PAGE_ROWS },
  })
  const next = useNextVersion(skill)
  const pair = comparedVersions(compare)
  const [restored, setRestored] = useState<ShownSkillVersion | null>(null)
  const restore = async (version: ShownSkillVersion, newest: number) => {
    setRestored(version)
    const saved = await next.save(version, {}, newest)
    if (saved) showNotice({ title: words.restored(version.version, saved.version) })
  }
  const hrefOf = ({ version }: ShownSkillVersion) =>
    withSearch(paths.skill(skillId), { version: version === skill.version ? null : String(version) })
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
        onKeepMine={(newest) => restored && void restore(restored, newest)}
      />
      {pair && (
        <Section
          title={words.comparing(pair.before, pair.after)}
          actions={
            <Button size="small" onPress={() => setParams({ compare: null })}>
              {words.close}
            </Button>
          }
        >
          <SkillDiff key={`${pair.before} ${pair.after}`} skill={skill} {...pair} />
        </Section>
      )}
      <AskedPanel asked={versions} failed={words.failed}>
        {({ data, total }) => (
          <PagedTable
            label={words.label}
            rows={data}
            total={total}
            columns={columns(skill.version)}
            idOf={({ version }) => String(version)}
            nameOf={({ version }) => skillWords.version(version)}
            hrefOf={hrefOf}
            isFormer={versions.isFormer}
            actionsOf={(row) => (
              <ActionMenu
                label={words.actions(row.version)}
                groups={[
                  {
                    id: 'version',
                    entries: [
                      { id: 'show', label: words.show, href: hrefOf(row) },
                      {
                        id: 'compare',
                        label: words.compare,
                        isDisabled: row.version === 1,
                        onAction: () =>
                          setParams({ compare: `${row.version - 1}..${row.version}` }, { push: true }),
                      },
                      {
                        id: 'restore',
                        label: words.restore,
                        sends: true,
                        isDisabled: row.version === skill.version || next.isPending,
                        ...refused,
                        onAction: () => void restore(row, skill.version),
                      },
                    ],
                  },
                ]}
              />
            )}
            page={page}
            limit={PAGE_ROWS}
            words={listWords}
            onTurn={(turned, turn) => setParams({ page: turned }, turn)}
          />
        )}
      </AskedPanel>
    </>
  )
}

/** `3..4`; null for anything else. */
function comparedVersions(text: string | null): { before: number; after: number } | null {
  const [, before, after] = /^(\d{1,9})\.\.(\d{1,9})$/.exec(text ?? '') ?? []
  return before && after ? { before: Number(before), after: Number(after) } : null
}
