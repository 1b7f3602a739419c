import type { Invitation } from '@troupe/contract/builder'
import { Mail } from 'lucide-react'
import { useRef, useState } from 'react'
import { focusNext, pageHeading } from '../../atoms/focus/focus-next.ts'
import { Card, RowList, Section } from '../../atoms/layout/page.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { Badge } from '../../atoms/states/badge.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { serverNow } from '../../core/format/server-clock.ts'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { InviteDialog } from './invite-dialog.tsx'
import styles from './settings.module.css'

const words = settingsWords.members

/** Open invitations; an expired one can be recreated. */
export function InvitationList({ invitations }: { invitations: readonly Invitation[] }) {
  const refusedToManage = useRefusal('manage')
  const refusedToOwn = useRefusal('own')
  const refusalFor = ({ role }: Invitation) => (role === 'owner' ? refusedToOwn : refusedToManage)
  const [again, setAgain] = useState<Invitation | null>(null)
  const withdraw = useChange('withdrawInvitation', { refreshes: ['listMembers'] })
  const list = useRef<HTMLDivElement>(null)
  const end = async ({ invitationId, email }: Invitation, index: number) => {
    if (!(await withdraw.run({ params: { invitationId } }))) return
    showNotice({ title: words.withdrawn(email ?? '') })
    focusNext(() => {
      const rows = [...(list.current?.querySelectorAll('li') ?? [])]
      const next = rows[index] ?? rows.at(-1)
      return next ? [...next.querySelectorAll('button')].at(-1) : pageHeading()
    })
  }
  return (
    <Section title={words.invitations}>
      <FailurePanel title={words.withdrawFailed} failure={withdraw.failure} />
      <div ref={list}>
        <Card flush>
          <RowList
            label={words.invitations}
            rows={invitations.map((invitation, index) => ({
              id: invitation.invitationId,
              lead: <Mail size={16} aria-hidden="true" />,
              title: invitation.email ?? <span className={styles.address}>{words.hiddenAddress}</span>,
              detail: (
                <>
                  {words.roles[invitation.role].label} · {words.expires}{' '}
                  <MomentText at={invitation.expiresAt} />
                </>
              ),
              end: Date.parse(invitation.expiresAt) < serverNow() && <Badge tone="warn">{words.ended}</Badge>,
              actions: (
                <>
                  <RefusableButton
                    size="small"
                    emphasis="quiet"
                    refusal={refusalFor(invitation)}
                    onPress={() => setAgain(invitation)}
                  >
                    {words.again}
                  </RefusableButton>
                  <RefusableButton
                    size="small"
                    refusal={refusalFor(invitation)}
                    isPending={withdraw.isPending}
                    onPress={() => void end(invitation, index)}
                  >
                    {words.withdraw}
                  </RefusableButton>
                </>
              ),
            }))}
          />
        </Card>
      </div>
      {again && (
        <InviteDialog email={again.email ?? ''} firstRole={again.role} onClose={() => setAgain(null)} />
      )}
    </Section>
  )
}
