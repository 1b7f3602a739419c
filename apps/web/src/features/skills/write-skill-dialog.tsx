import { useState } from 'react'
import { CodeField } from '../../atoms/code/code-field.tsx'
import { Dialog } from '../../atoms/overlays/dialog.tsx'
import { DialogForm } from '../../atoms/overlays/form-dialog.tsx'
import { moveWords } from '../../core/messages/en/parts/move.ts'
import { skillWords as words } from '../../core/messages/en/resources/skills.ts'
import { useDraft } from '../../infrastructure/drafts/use-draft.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ProjectField } from '../../parts/project-field/project-field.tsx'
import { ExistingSkillDialog } from './existing-skill-dialog.tsx'
import { SkillFailure } from './skill-failure.tsx'
import { useSkillUpload } from './use-skill-upload.ts'

/** A skill of one file, typed in the browser. It is kept on the device until it is saved. */
export function WriteSkillDialog({ onClose }: { onClose(): void }) {
  const { projectId: here } = usePlace()
  const [projectId, setProjectId] = useState(here)
  const draft = useDraft('skill/new', (value): value is string => typeof value === 'string')
  const upload = useSkillUpload(projectId, null, true)
  const text = draft.value ?? words.template
  const submit = async () => {
    if (await upload.texts({ 'SKILL.md': text })) draft.discard()
  }
  return (
    <Dialog isOpen onClose={onClose} title={words.writeTitle} width="wide">
      <DialogForm
        label={words.writeTitle}
        onClose={onClose}
        onSubmit={submit}
        action={words.save}
        isPending={upload.isPending}
      >
        <SkillFailure title={words.saveFailed} failure={upload.failure} />
        <ProjectField
          label={moveWords.project}
          wholeOrganization={moveWords.wholeOrganization}
          value={projectId}
          onChange={setProjectId}
        />
        <CodeField
          label={words.text}
          description={draft.value === null ? words.writeDetail : words.writeKept}
          value={text}
          onChange={(next) => draft.edit(next, '')}
          minLines={12}
          maxLines={24}
        />
      </DialogForm>
      <ExistingSkillDialog sent={text} isInDialog upload={upload} onStored={draft.discard} />
    </Dialog>
  )
}
