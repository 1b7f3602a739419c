import type { Skill } from '@troupe/contract'
import { GraduationCap } from 'lucide-react'
import { useState } from 'react'
import { FileDrop } from '../../atoms/controls/file-drop.tsx'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { SearchToolbar } from '../../atoms/layout/search-toolbar.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { RowFacts } from '../../atoms/table/row-facts.tsx'
import { wholeNumber } from '../../core/format/numbers.ts'
import { skillWords as words } from '../../core/messages/en/resources/skills.ts'
import { PAGE_ROWS } from '../../core/url/list-params.ts'
import { countParam, flagParam, textParam } from '../../core/url/search-params.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { changedColumn, namesText } from '../../parts/lists/list-columns.tsx'
import { useCreateButton } from '../../parts/lists/use-create-button.tsx'
import { MovableTable } from '../../parts/move-things/movable-table.tsx'
import { useResourceUsers } from '../../parts/used-by/use-resource-users.ts'
import { ExistingSkillDialog } from './existing-skill-dialog.tsx'
import { SkillFailure } from './skill-failure.tsx'
import { useSkillUpload } from './use-skill-upload.ts'
import { WriteSkillDialog } from './write-skill-dialog.tsx'

const PARAMS = { q: textParam, page: countParam, create: flagParam }

const columns = (usersOf: (id: string) => readonly { name: string }[] | null): readonly Column<Skill>[] => [
  {
    id: 'name',
    title: words.columns.name,
    width: '24%',
    cell: ({ slug }) => slug,
    under: ({ description }) => description,
  },
  { id: 'about', title: words.columns.about, from: 'wide', cell: ({ description }) => description },
  {
    id: 'version',
    title: words.columns.version,
    align: 'end',
    width: '80px',
    cell: ({ version }) => wholeNumber(version),
  },
  {
    id: 'files',
    title: words.columns.files,
    align: 'end',
    width: '72px',
    from: 'widest',
    cell: ({ files }) => wholeNumber(files.length),
  },
  {
    id: 'used',
    title: words.columns.usedBy,
    width: '16%',
    from: 'widest',
    cell: ({ skillId }) => namesText(usersOf(skillId)),
  },
  changedColumn(words.columns.changed),
]

const idOfSkill = ({ skillId }: Skill) => skillId

/** The skills of an organization. */
export function SkillsPage() {
  const { paths, may, projectId } = usePlace()
  const [{ q, page, create }, setParams] = useSearchParams(PARAMS)
  const skills = useOperation('listSkills', {
    query: { page, limit: PAGE_ROWS, ...(q ? { q } : {}), ...(projectId ? { projectId } : {}) },
  })
  const usersOf = useResourceUsers('skill', skills.data?.data.map(({ skillId }) => skillId) ?? [])
  const upload = useSkillUpload(projectId)
  const [sent, setSent] = useState<File | null>(null)
  const refusal = useRefusal('build')
  const button = useCreateButton('build', words.create, () => setParams({ create: true }, { push: true }))
  return (
    <PageLayout title={words.title} detail={words.detail} actions={button}>
      <FileDrop
        label={words.drop}
        detail={words.dropDetail}
        choose={words.choose}
        accepts={['.zip', '.md']}
        isMultiple={false}
        isDisabled={refusal !== null || upload.isPending}
        onFiles={([file]) => {
          if (!file) return
          setSent(file)
          void upload.file(file)
        }}
      />
      <SkillFailure title={words.uploadFailed} failure={upload.failure} />
      {sent && <ExistingSkillDialog sent={sent} upload={upload} onStored={upload.reset} />}
      <SearchToolbar label={words.search} value={q} onChange={(text) => setParams({ q: text, page: 1 })} />
      <MovableTable
        kind="skill"
        asked={skills}
        words={words}
        label={words.title}
        columns={columns(usersOf)}
        idOf={idOfSkill}
        nameOf={({ slug }) => slug}
        hasTiles
        hrefOf={({ skillId }) => paths.skill(skillId)}
        peekOf={(row) => <RowFacts row={row} columns={columns(usersOf)} />}
        page={page}
        onTurn={(page, turn) => setParams({ page }, turn)}
        isFiltered={q !== ''}
        picture={<GraduationCap size={22} />}
        firstActions={button}
      />
      {create && may('build') && <WriteSkillDialog onClose={() => setParams({ create: false })} />}
    </PageLayout>
  )
}
