import type { IdText, Skill, SkillId } from '@troupe/contract'
import { useState } from 'react'
import { CodeBlock, CodeField } from '../../atoms/code/code-field.tsx'
import { Button } from '../../atoms/controls/button.tsx'
import { Segments } from '../../atoms/controls/choices.tsx'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { TextDiff } from '../../atoms/diff/text-diff.tsx'
import { focusNext } from '../../atoms/focus/focus-next.ts'
import { Markdown } from '../../atoms/markdown/markdown.tsx'
import { ConfirmDialog } from '../../atoms/overlays/confirm-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { SendButton } from '../../atoms/overlays/send-button.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { byteSize } from '../../core/format/numbers.ts'
import { skillWords } from '../../core/messages/en/resources/skills.ts'
import { withoutFrontMatter } from '../../core/skills/without-front-matter.ts'
import { withSearch } from '../../core/url/paths.ts'
import { choiceParam } from '../../core/url/search-params.ts'
import { callOperation } from '../../infrastructure/client/call-operation.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { useOrganizationId } from '../../infrastructure/sign-in/organization-id.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { VersionConflict } from '../../parts/unsaved/version-conflict.tsx'
import { SkillFailure } from './skill-failure.tsx'
import styles from './skills.module.css'
import { useFileDraft } from './use-file-draft.ts'
import { useNextVersion } from './use-next-version.ts'

const words = skillWords.files
const LOOKS = ['preview', 'text'] as const
const PARAMS = { look: choiceParam(LOOKS, 'preview') }

export interface ShownSkillFileProps {
  skill: Skill
  /** The viewed version. */
  version: Pick<Skill, 'version' | 'files'>
  path: string
  onSaved(): void
}

/** One file of a skill, to read and to edit; an edit is saved as the next version of the skill. */
export function ShownSkillFile({ skill, version, path, onSaved }: ShownSkillFileProps) {
  const params = { skillId: skill.skillId }
  const isThere = version.files.some((one) => one.path === path)
  const file = useOperation(
    'getSkillFile',
    { params, query: { path, version: version.version } },
    { isEnabled: isThere },
  )
  if (!isThere) return <MissingFile skillId={skill.skillId} version={version.version} path={path} />
  return (
    <AskedPanel asked={file} failed={words.failed} lines={8}>
      {({ text }) =>
        text === null ? (
          <Callout>{words.binary}</Callout>
        ) : (
          <TextFile
            skill={skill}
            version={version}
            path={path}
            text={text}
            isFormer={file.isFormer}
            onSaved={onSaved}
          />
        )
      }
    </AskedPanel>
  )
}

interface MissingFileProps {
  skillId: IdText<SkillId>
  version: number
  path: string
}

/** A file that a version lacks: it was removed, or added later. An edit of it belongs to its base version. */
function MissingFile({ skillId, version, path }: MissingFileProps) {
  const { paths } = usePlace()
  const draft = useFileDraft(skillId, path)
  const href =
    draft.base === null ? null : withSearch(paths.skill(skillId), { file: path, version: draft.base })
  return (
    <Callout tone="warn">
      {words.missing(path, version)} {href && words.missingEdited}{' '}
      {href && <TextLink href={href}>{words.showEdit}</TextLink>}
    </Callout>
  )
}

interface TextFileProps extends ShownSkillFileProps {
  text: string
  /** The text belongs to the previous version: that of `version` is loading. */
  isFormer: boolean
}

function TextFile({ skill, version, path, text, isFormer, onSaved }: TextFileProps) {
  const { paths } = usePlace()
  const refusal = useRefusal('build')
  const draft = useFileDraft(skill.skillId, path)
  const next = useNextVersion(skill)
  // An edit of another version stays there: saved from here, it would restore the other files of this version.
  const isElsewhere =
    draft.value !== null && version.version !== skill.version && draft.base !== String(version.version)
  const isEditing = draft.value !== null && !isElsewhere
  const [isAsking, setIsAsking] = useState(false)
  const [{ look }, setParams] = useSearchParams(PARAMS)
  const isMarkdown = path.toLowerCase().endsWith('.md')
  const isPreview = isMarkdown && look === 'preview'
  const edit = () => {
    draft.edit(text, String(version.version))
    focusNext(() => document.querySelector(`#${SHOWN} [contenteditable]`))
  }
  const discard = () => {
    draft.discard()
    focusNext(editButton)
  }
  const isNewest = version.version === skill.version
  // A save from an older version restores its other files; a file that has been removed since then is only put back.
  const isPutBack = !skill.files.some((one) => one.path === path)
  const asked = useOperation('getSkill', { params: { skillId: skill.skillId } })
  const organizationId = useOrganizationId()
  /**
   * An edit of another device may be of a version that this page has not read yet: saved as of that one, it would restore the other files
   * of this version.
   */
  const known = isNewest ? Math.min(Number(draft.base), skill.version) : skill.version
  /** `from`: the version whose other files are kept; `baseVersion`: the newest version known to the user. */
  const save = async (from: ShownSkillFileProps['version'], baseVersion: number) => {
    const sent = draft.value ?? text
    const saved = await next.save(from, { [path]: sent }, baseVersion)
    if (!saved) return
    draft.settle(sent, saved.version)
    showNotice({ title: skillWords.added(saved.slug, saved.version) })
    onSaved()
    focusNext(editButton)
  }
  const keepMine = async (newest: number) => {
    if (!isNewest && !isPutBack) return save(version, newest)
    // Another user's changes of the other files are kept.
    const params = { skillId: skill.skillId }
    const now = await callOperation('getSkill', organizationId, { params }).catch(() => null)
    if (now === null) return showNotice({ title: words.saveFailed, tone: 'bad' })
    await save(now, newest)
  }
  return (
    <div id={SHOWN} className={styles.shown}>
      <div className={styles.head}>
        <h2>{path}</h2>
        <span className={styles.size}>
          {byteSize(new TextEncoder().encode(isEditing ? (draft.value ?? '') : text).length)}
        </span>
        {isMarkdown && !isEditing && (
          <Segments
            label={words.look}
            options={LOOKS.map((id) => ({ id, label: words.looks[id] }))}
            value={look}
            onChange={(next) => setParams({ look: next })}
          />
        )}
        {isEditing ? (
          <>
            <Button onPress={() => (draft.value === text ? discard() : setIsAsking(true))}>
              {words.cancel}
            </Button>
            <SendButton
              emphasis="primary"
              isPending={next.isPending}
              isDisabled={draft.value === text}
              onPress={() => save(isPutBack ? skill : version, known)}
            >
              {words.save}
            </SendButton>
          </>
        ) : // An edit of the old text would overwrite the new version's text.
        isElsewhere || isFormer ? null : (
          <RefusableButton refusal={refusal} onPress={edit}>
            {words.edit}
          </RefusableButton>
        )}
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={words.discardTitle(path)}
        action={words.cancel}
        isDanger
        onConfirm={() => {
          discard()
          setIsAsking(false)
        }}
      >
        {words.discardText}
      </ConfirmDialog>
      {isElsewhere && (
        <Callout>
          {words.editedElsewhere}{' '}
          <TextLink href={withSearch(paths.skill(skill.skillId), { file: path })}>
            {words.showNewest}
          </TextLink>
        </Callout>
      )}
      <SkillFailure title={words.saveFailed} failure={next.failure} />
      <VersionConflict
        change={next}
        what={skillWords.noun}
        onTakeTheirs={() => {
          discard()
          asked.retry()
        }}
        onKeepMine={keepMine}
      >
        {next.failure?.current && (
          <TheirFile
            skill={skill}
            version={next.failure.current.number}
            path={path}
            mine={draft.value ?? text}
          />
        )}
      </VersionConflict>
      {isEditing && draft.base !== null && Number(draft.base) < version.version && (
        <Callout tone="warn">{words.otherVersion}</Callout>
      )}
      {isEditing ? (
        <CodeField
          label={path}
          isLabelHidden
          description={words.editing}
          value={draft.value ?? ''}
          onChange={(value) => draft.edit(value, draft.base ?? String(version.version))}
          minLines={16}
          maxLines={40}
        />
      ) : (
        <ReadFile path={path} text={text} isPreview={isPreview} />
      )}
    </div>
  )
}

/** The stored text of a file: formatted without the front matter, whose fields the page shows, or as it is. */
function ReadFile({ path, text, isPreview }: { path: string; text: string; isPreview: boolean }) {
  if (!isPreview) return <CodeBlock label={path} text={text} isWrapped />
  return (
    <div className={styles.preview}>
      <Markdown text={withoutFrontMatter(text)} />
    </div>
  )
}

/** A save can show another version, in another element of this id. */
const SHOWN = 'shown-skill-file'

const editButton = () => document.querySelector(`#${SHOWN} > :first-child button`)

interface TheirFileProps {
  skill: Skill
  /** null: unknown. */
  version: number | null
  path: string
  mine: string
}

/** Another user's version compared with the edit. */
function TheirFile({ skill, version, path, mine }: TheirFileProps) {
  const query = { path, ...(version === null ? {} : { version }) }
  const file = useOperation('getSkillFile', { params: { skillId: skill.skillId }, query })
  // Another user may have removed the file.
  if (file.data === undefined) return null
  return <TextDiff label={path} before={file.data.text ?? ''} after={mine} isMono around={3} />
}
