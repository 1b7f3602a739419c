import type { IdText, Skill, SkillId } from '@troupe/contract'
import { useRef } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { Dialog } from '../../atoms/overlays/dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { SendButton } from '../../atoms/overlays/send-button.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { skillWords } from '../../core/messages/en/resources/skills.ts'
import type { CallFailure } from '../../infrastructure/client/call-failure.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { useResourceUsers } from '../../parts/used-by/use-resource-users.ts'
import { UserLinks } from '../../parts/used-by/used-by.tsx'
import { SkillFailure } from './skill-failure.tsx'
import { useNextVersion } from './use-next-version.ts'
import { isSkillText, useSkillUpload } from './use-skill-upload.ts'

const words = skillWords.existing

/** Content intended as a new skill: an archive or a SKILL.md, or its text. */
type SentSkill = File | string

interface ExistingSkillProps {
  sent: SentSkill
  /** The enclosing dialog has an entry of the history, which Back skips. */
  isInDialog?: boolean
  onClose(): void
  /** Called after it was stored; the skill is then opened. */
  onStored(): void
}

/**
 * Asks for confirmation before content intended as a new skill becomes the next version of an existing one. Nothing is
 * stored before that.
 */
export function ExistingSkillDialog({
  upload: { failure, reset },
  ...props
}: Omit<ExistingSkillProps, 'onClose'> & { upload: { failure: CallFailure | null; reset(): void } }) {
  const skillId = failure?.code === 'slug_taken' ? failure.current?.id : undefined
  return skillId === undefined ? null : <Question {...props} skillId={skillId} onClose={reset} />
}

function Question({ skillId, ...props }: ExistingSkillProps & { skillId: IdText<SkillId> }) {
  // Its newest version is replaced: a cached one is not sufficient.
  const skill = useOperation('getSkill', { params: { skillId } }, { isFresh: true })
  if (skill.data) return <StoreNextVersion {...props} skill={skill.data} onNewer={skill.retry} />
  return (
    <Dialog isOpen onClose={props.onClose} title={words.title}>
      <AskedPanel asked={skill} failed={skillWords.oneFailed}>
        {() => null}
      </AskedPanel>
    </Dialog>
  )
}

interface StoreNextVersionProps extends ExistingSkillProps {
  skill: Skill
  onNewer(): void
}

function StoreNextVersion({ skill, sent, isInDialog, onClose, onStored, onNewer }: StoreNextVersionProps) {
  const { paths } = usePlace()
  const goTo = useGoTo()
  const { skillId, slug, version, files, updatedAt } = skill
  const users = useResourceUsers('skill', [skillId])(skillId)
  const archive = useSkillUpload(skill.projectId, skill, isInDialog)
  const withOthers = useNextVersion(skill)
  const isText = typeof sent === 'string' || isSkillText(sent)
  const way = isText ? withOthers : archive
  const isReading = useRef(false)
  const store = async () => {
    if (typeof sent !== 'string' && !isSkillText(sent)) {
      if (await archive.file(sent)) onStored()
      return
    }
    // A second press while the file is read must not store it twice.
    if (isReading.current) return
    isReading.current = true
    const text = typeof sent === 'string' ? sent : await sent.text()
    isReading.current = false
    // Its other files are kept, as after an upload of a SKILL.md on the page of the skill.
    const stored = await withOthers.save(skill, { 'SKILL.md': text }, version)
    if (stored === null) return
    onStored()
    showNotice({ title: skillWords.added(stored.slug, stored.version) })
    goTo(paths.skill(skillId), { replace: isInDialog ?? false })
  }
  const isNewer = way.failure?.code === 'version_conflict'
  const others = files.flatMap(({ path }) => (path === 'SKILL.md' ? [] : [path]))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.titleOf(slug)}
      actions={
        <>
          <Button emphasis="quiet" onPress={onClose}>
            {words.cancel}
          </Button>
          <SendButton
            emphasis="primary"
            isPending={way.isPending}
            onPress={() => {
              if (!isNewer) return store()
              way.reset()
              onNewer()
            }}
          >
            {isNewer ? words.readAgain : words.store(version + 1)}
          </SendButton>
        </>
      }
    >
      <p>
        {words.newest(version)} <MomentText at={updatedAt} />.{' '}
        <TextLink href={paths.skill(skillId)}>{words.open(slug)}</TextLink>
      </p>
      <p>
        {isText
          ? words.textReplaced(version + 1, others)
          : words.filesReplaced(
              version + 1,
              files.map(({ path }) => path),
            )}
      </p>
      {users && users.length > 0 && (
        <>
          <p>{words.used}</p>
          <UserLinks users={users} none="" />
        </>
      )}
      {isNewer ? (
        <Callout tone="warn">{words.newer}</Callout>
      ) : (
        <SkillFailure title={skillWords.saveFailed} failure={way.failure} />
      )}
    </Dialog>
  )
}
