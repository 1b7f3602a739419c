import type { Skill } from '@troupe/contract'
import { Suspense, useRef, useState } from 'react'
import { Facts, PageLayout } from '../../atoms/layout/page.tsx'
import { TabBar } from '../../atoms/layout/tab-bar.tsx'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { LiveMark } from '../../atoms/states/badge.tsx'
import { Avatar, Skeleton } from '../../atoms/states/panels.tsx'
import { moveWords } from '../../core/messages/en/parts/move.ts'
import { skillWords as words } from '../../core/messages/en/resources/skills.ts'
import { choiceParam } from '../../core/url/search-params.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { usePathParam, useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { GoneThing } from '../../parts/gone/gone-thing.tsx'
import { MoveThing } from '../../parts/move-things/move-thing.tsx'
import { VersionConflict } from '../../parts/unsaved/version-conflict.tsx'
import { useResourceUsers } from '../../parts/used-by/use-resource-users.ts'
import { UserLinks } from '../../parts/used-by/used-by.tsx'
import { SkillFailure } from './skill-failure.tsx'
import { SkillFilesTab } from './skill-files-tab.tsx'
import { isSkillText, useSkillUpload } from './use-skill-upload.ts'
import { useUploadWithOthers } from './use-upload-with-others.ts'

const SkillVersionsTab = lazyPart(async () => (await import('./skill-versions-tab.tsx')).SkillVersionsTab)
const DeleteSkillDialog = lazyPart(async () => (await import('./delete-skill-dialog.tsx')).DeleteSkillDialog)

const TABS = ['files', 'versions'] as const
const PARAMS = { tab: choiceParam(TABS, 'files') }

/** One skill: its files in any version, its versions, and its uses. */
export function SkillPage() {
  const { paths } = usePlace()
  const skillId = usePathParam('skillId')
  const skill = useOperation('getSkill', { params: { skillId } })
  if (skill.failure?.code === 'skill_not_found') {
    return (
      <PageLayout title={words.gone} isBare crumbs={[{ label: words.title, href: paths.skills }]}>
        <GoneThing
          kind="skill"
          id={skillId}
          title={words.gone}
          detail={words.goneDetail}
          href={paths.skills}
          label={words.toAll}
        />
      </PageLayout>
    )
  }
  return (
    <PageLayout
      title={skill.data?.slug ?? words.one}
      lead={skill.data && <Avatar id={skillId} name={skill.data.slug} shape="square" />}
      crumbs={[{ label: words.title, href: paths.skills }]}
      mark={skill.data && <LiveMark version={skill.data.version} />}
      detail={skill.data?.description}
      actions={skill.data && <SkillActions skill={skill.data} />}
    >
      <AskedPanel asked={skill} failed={words.oneFailed} lines={8}>
        {(data) => <SkillTabs skill={data} />}
      </AskedPanel>
    </PageLayout>
  )
}

function SkillTabs({ skill }: { skill: Skill }) {
  const [{ tab }, setParams] = useSearchParams(PARAMS)
  const { skillId, allowedTools } = skill
  const users = useResourceUsers('skill', [skillId])(skillId)
  return (
    <>
      <Facts
        facts={[
          { name: words.usedBy, value: <UserLinks users={users} none={words.unused} /> },
          {
            name: words.allowedTools,
            value: allowedTools === null ? words.allTools : allowedTools.join(', ') || words.noTools,
          },
        ]}
      />
      <TabBar
        label={skill.slug}
        tabs={TABS.map((id) => ({ id, label: words.tabs[id] }))}
        value={tab}
        onChange={(id) => setParams({ tab: id }, { push: true })}
      >
        {tab === 'files' ? (
          <SkillFilesTab skill={skill} />
        ) : (
          <Suspense fallback={<Skeleton lines={8} />}>
            <SkillVersionsTab skill={skill} />
          </Suspense>
        )}
      </TabBar>
    </>
  )
}

function SkillActions({ skill }: { skill: Skill }) {
  const refusal = useRefusal('build')
  const refused = useEntryRefusal('build')
  const file = useRef<HTMLInputElement>(null)
  const upload = useSkillUpload(skill.projectId, skill)
  const withOthers = useUploadWithOthers(skill)
  const [chosen, setChosen] = useState<File | null>(null)
  const way = chosen && isSkillText(chosen) ? withOthers : upload
  const asked = useOperation('getSkill', { params: { skillId: skill.skillId } })
  const [isRemoving, setRemoving] = useState(false)
  const [isMoving, setMoving] = useState(false)
  return (
    <>
      <SkillFailure title={words.uploadFailed} failure={way.failure} />
      <VersionConflict
        change={way}
        what={words.noun}
        onTakeTheirs={asked.retry}
        onKeepMine={(version) => chosen && void way.file(chosen, version)}
      />
      <RefusableButton refusal={refusal} isPending={way.isPending} onPress={() => file.current?.click()}>
        {words.upload}
      </RefusableButton>
      <input
        ref={file}
        type="file"
        accept=".zip,.md"
        hidden
        onChange={({ target }) => {
          const [next] = target.files ?? []
          if (next) {
            setChosen(next)
            void (isSkillText(next) ? withOthers : upload).file(next)
          }
          target.value = ''
        }}
      />
      <ActionMenu
        label={words.actions(skill.slug)}
        entries={[
          { id: 'move', label: moveWords.entry, ...refused, onAction: () => setMoving(true) },
          {
            id: 'remove',
            label: words.remove,
            isDanger: true,
            ...refused,
            onAction: () => setRemoving(true),
          },
        ]}
      />
      {isMoving && (
        <MoveThing
          kind="skill"
          id={skill.skillId}
          name={skill.slug}
          projectId={skill.projectId}
          onClose={() => setMoving(false)}
        />
      )}
      <LazyDialog>
        {isRemoving && <DeleteSkillDialog skill={skill} onClose={() => setRemoving(false)} />}
      </LazyDialog>
    </>
  )
}
