import { MEMBER_ROLES, type MemberRole } from '@troupe/contract'
import { useEffect, useState } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { CopyField } from '../../atoms/controls/copy-field.tsx'
import { Select } from '../../atoms/controls/select.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { Dialog } from '../../atoms/overlays/dialog.tsx'
import { DialogForm } from '../../atoms/overlays/form-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { RestoredNote } from '../../atoms/states/restored-note.tsx'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { formFailure } from '../../infrastructure/client/field-failure.ts'
import { controlsOf } from '../../infrastructure/drafts/controls-of.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { type OperationChange, useChange } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { SecretGuard } from '../../parts/unsaved/secret-guard.tsx'
import { useSecretClosing } from '../../parts/unsaved/use-secret-closing.ts'

const words = settingsWords.members

export interface InviteDialogProps {
  /** False: closed, unless a link is being created or has not been read. */
  isOpen?: boolean
  /** The address of a recreated invitation. */
  email?: string
  firstRole?: MemberRole
  onClose(): void
}

/** Invites a user; without a mail server the link is shown once, to be passed on. */
export function InviteDialog({
  isOpen = true,
  email = '',
  firstRole = 'member',
  onClose,
}: InviteDialogProps) {
  const [link, setLink] = useState<string | null>(null)
  const invite = useChange('inviteMember', { refreshes: ['listMembers'] })
  // Closed by Back during a request: its failure is shown here.
  const [isLeft, setLeft] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the dialog opens or closes, not when the call ends
  useEffect(() => {
    setLeft(!isOpen && invite.isPending)
    // A failure belongs to the form that was sent, not to the next one.
    if (!invite.isPending) invite.reset()
  }, [isOpen])
  const close = () => {
    setLink(null)
    setLeft(false)
    invite.reset()
    onClose()
  }
  const closing = useSecretClosing(link, close)
  return (
    <Dialog
      // Back closes it only in the URL: a secret that is shown once stays open until it is read.
      isOpen={isOpen || isLeft || link !== null || invite.isPending}
      onClose={closing.close}
      title={link === null ? words.inviteTitle : words.linkTitle}
      isDismissable={link === null}
      // The link is shown only here.
      isHeld={invite.isPending}
      {...(link === null
        ? {}
        : {
            actions: (
              <Button emphasis="primary" onPress={close}>
                {words.close}
              </Button>
            ),
          })}
    >
      <SecretGuard kind="link" isActive={link !== null || invite.isPending} closing={closing.held} />
      {link !== null ? (
        <>
          <p>{words.linkDetail}</p>
          <CopyField label={words.link} text={link} autoFocus onCopied={closing.onCopied} />
        </>
      ) : (
        <InviteForm
          {...{ invite, email, firstRole }}
          onLink={setLink}
          onMailed={close}
          onClose={closing.close}
        />
      )}
    </Dialog>
  )
}

interface InviteFormProps extends Required<Pick<InviteDialogProps, 'email' | 'firstRole'>> {
  invite: OperationChange<'inviteMember'>
  onLink(link: string): void
  onMailed(): void
  onClose(): void
}

function InviteForm(props: InviteFormProps) {
  const { invite, email: known, firstRole, onLink, onMailed, onClose } = props
  const { role: own } = usePlace()
  const typed = useTypedForm<{ email: string; role: MemberRole }>(`invitation/${known || 'new'}`, {
    email: known,
    role: firstRole,
  })
  const { email, role } = typed.fields
  const submit = async () => {
    if (invite.isPending) return
    const invited = await invite.run({ body: { email: email.trim(), role } })
    if (!invited) return
    typed.discard()
    const { link } = invited.answer
    if (link !== null) return onLink(link)
    showNotice({ title: words.mailed(email.trim()) })
    onMailed()
  }
  const failure = formFailure(invite.failure, ['email', 'role'])
  const roles = MEMBER_ROLES.filter((one) => one !== 'owner' || own === 'owner')
  const control = controlsOf(typed, invite.failure)
  return (
    <DialogForm
      label={words.inviteTitle}
      onClose={onClose}
      onSubmit={submit}
      action={words.inviteAction}
      isPending={invite.isPending}
    >
      <FailurePanel title={words.inviteFailed} failure={failure} />
      <RestoredNote typed={typed} />
      {known !== '' && <p>{words.againDetail}</p>}
      <TextField
        label={words.email}
        type="email"
        {...control('email')}
        autoFocus
        isRequired
        autoComplete="off"
      />
      <Select
        label={words.role}
        value={role}
        onChange={(next) => typed.change({ role: next })}
        options={roles.map((id) => ({ id, ...words.roles[id] }))}
      />
    </DialogForm>
  )
}
