import { type IdText, MEMBER_ROLES, type MemberRole, type UserId } from '@troupe/contract'
import type { Member } from '@troupe/contract/builder'
import { UsersRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { Select } from '../../atoms/controls/select.tsx'
import { SearchToolbar } from '../../atoms/layout/search-toolbar.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Badge } from '../../atoms/states/badge.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Avatar, Empty } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { DataTable } from '../../atoms/table/data-table.tsx'
import { WaitingTable } from '../../atoms/table/waiting-table.tsx'
import { memberRows } from '../../core/members/member-rows.ts'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { isRaised } from '../../core/permissions/raised-role.ts'
import { choiceParam, flagParam, textParam } from '../../core/url/search-params.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { useChange, useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ConfirmChange } from '../../parts/confirm-change/confirm-change.tsx'
import { useCreateButton } from '../../parts/lists/use-create-button.tsx'
import { InvitationList } from './invitation-list.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import styles from './settings.module.css'
import { SettingsLayout } from './settings-layout.tsx'

const words = settingsWords.members
const ROLES = ['any', ...MEMBER_ROLES] as const
const PARAMS = { create: flagParam, q: textParam, role: choiceParam(ROLES, 'any') }

/** The change of a member: one of the two. */
interface MemberChange {
  role?: MemberRole
  status?: Member['status']
}

/** Settings → Members: members with their roles, and open invitations. */
export function MembersPage() {
  const { session, may } = usePlace()
  const [{ create, q, role }, setParams] = useSearchParams(PARAMS)
  const people = useOperation('listMembers', {})
  const button = useCreateButton(
    'manage',
    words.invite,
    () => setParams({ create: true }, { push: true }),
    words.inviteTitle,
  )
  return (
    <SettingsLayout
      page="members"
      detail={words.detail}
      width="wide"
      requests={[{ title: words.curl, operation: 'listMembers', input: {} }]}
      actions={button}
    >
      <SearchToolbar label={words.search} value={q} onChange={(text) => setParams({ q: text })}>
        <Select
          label={words.role}
          isLabelHidden
          value={role}
          clearTo="any"
          onChange={(next) => setParams({ role: next })}
          options={ROLES.map((id) => ({ id, label: id === 'any' ? words.anyRole : words.roles[id].label }))}
        />
        {people.data && (
          <span className={styles.faint} data-end="">
            {words.count(people.data.members.length)}
          </span>
        )}
      </SearchToolbar>
      <AskedPanel
        asked={people}
        failed={words.failed}
        waiting={<WaitingTable columns={columnsOfMembers(session.person.userId)} hasActions />}
      >
        {({ members, invitations }) => (
          <>
            <MembersTable
              members={memberRows(members, { q, role })}
              empty={
                <Empty
                  picture={<UsersRound size={22} />}
                  title={words.noneTitle}
                  actions={<Button onPress={() => setParams({ q: '', role: 'any' })}>{words.clear}</Button>}
                >
                  {words.none}
                </Empty>
              }
            />
            {invitations.length > 0 && <InvitationList invitations={invitations} />}
          </>
        )}
      </AskedPanel>
      <InviteDialog isOpen={create && may('manage')} onClose={() => setParams({ create: false })} />
    </SettingsLayout>
  )
}

const columnsOfMembers = (ownId: IdText<UserId>): readonly Column<Member>[] => [
  {
    id: 'name',
    title: words.name,
    cell: ({ name, email, userId }) => (
      <span className={styles.person}>
        <Avatar name={name} />
        <span className={styles.who}>
          <span className={styles.personName}>{name}</span>
          {userId === ownId && <span className={styles.faint}> ({words.you})</span>}
          {email !== null && <span className={styles.address}>{email}</span>}
        </span>
      </span>
    ),
  },
  { id: 'role', title: words.role, width: '112px', cell: (member) => words.roles[member.role].label },
  {
    id: 'status',
    title: words.status,
    width: '112px',
    from: 'wide',
    cell: ({ status }) => <Badge tone={status === 'active' ? 'good' : 'warn'}>{words[status]}</Badge>,
  },
  {
    id: 'since',
    title: words.since,
    width: '136px',
    from: 'widest',
    cell: ({ createdAt }) => <MomentText at={createdAt} />,
  },
]

function MembersTable({ members, empty }: { members: readonly Member[]; empty: ReactNode }) {
  const { session, role } = usePlace()
  const refusedToManage = useEntryRefusal('manage')
  const refusedToOwn = useEntryRefusal('own')
  const [leaving, setLeaving] = useState<Member | null>(null)
  const [own, setOwn] = useState<MemberChange | null>(null)
  const [raised, setRaised] = useState<{ member: Member; role: MemberRole } | null>(null)
  const change = useChange('changeMember', { refreshes: ['listMembers'] })
  const undoing = useChange('changeMember', { refreshes: ['listMembers'] })
  const columns = columnsOfMembers(session.person.userId)
  const set = async (member: Member, body: MemberChange) => {
    const { userId, name, role: before, status } = member
    // Irreversible: the user loses the right to undo it.
    if (userId === session.person.userId) return setOwn(body)
    if (!(await change.run({ params: { userId }, body }))) return
    const title =
      body.role !== undefined
        ? words.roleChanged(name, words.roles[body.role].label)
        : body.status === 'suspended'
          ? words.suspendedNotice(name)
          : words.reactivatedNotice(name)
    const former = body.role === undefined ? { status } : { role: before }
    const failed = ({ message }: { message: string }) =>
      showNotice({ tone: 'bad', title: words.changeFailed, detail: message })
    // Undo applies only if the member still has the state set here. The page may have changed in the
    // meantime.
    const undo = () => void undoing.run({ params: { userId }, body: { ...former, expected: body } }, failed)
    showNotice({ title, action: { label: words.undo, run: undo } })
  }
  const refusedFor = (member: Member) => (member.role === 'owner' ? refusedToOwn : refusedToManage)
  const entriesOf = (member: Member) => [
    {
      id: 'roles',
      title: words.makeRole,
      entries: MEMBER_ROLES.filter((one) => one !== 'owner' || role === 'owner').map((one) => ({
        id: one,
        ...words.roles[one],
        isChecked: member.role === one,
        sends: true,
        ...refusedFor(member),
        onAction: () => {
          if (member.role === one) return
          if (isRaised(member.role, one)) setRaised({ member, role: one })
          else void set(member, { role: one })
        },
      })),
    },
    {
      id: 'end',
      entries: [
        member.status === 'active'
          ? {
              id: 'suspend',
              label: words.suspend,
              detail: words.detailOfSuspend,
              sends: true,
              ...refusedFor(member),
              onAction: () => void set(member, { status: 'suspended' }),
            }
          : {
              id: 'reactivate',
              label: words.reactivate,
              sends: true,
              ...refusedFor(member),
              onAction: () => void set(member, { status: 'active' }),
            },
        {
          id: 'remove',
          label: words.remove,
          isDanger: true,
          ...refusedFor(member),
          onAction: () => setLeaving(member),
        },
      ],
    },
  ]
  return (
    <>
      <FailurePanel title={words.changeFailed} failure={change.failure} />
      <DataTable
        label={words.people}
        rows={members}
        columns={columns}
        idOf={({ userId }) => userId}
        nameOf={({ name }) => name}
        empty={empty}
        actionsOf={(member) => <ActionMenu label={words.actions(member.name)} groups={entriesOf(member)} />}
      />
      {own && (
        <ConfirmChange
          operation="changeMember"
          input={{ params: { userId: session.person.userId }, body: own }}
          refreshes={['listMembers']}
          title={
            own.role === undefined ? words.ownSuspendTitle : words.ownRoleTitle(words.roles[own.role].label)
          }
          action={own.role === undefined ? words.ownSuspendAction : words.ownRoleAction}
          failed={words.changeFailed}
          onClose={() => setOwn(null)}
        >
          <p>{words.ownDetail}</p>
        </ConfirmChange>
      )}
      {raised && <RaiseMemberDialog {...raised} onClose={() => setRaised(null)} />}
      {leaving && <RemoveMemberDialog member={leaving} onClose={() => setLeaving(null)} />}
    </>
  )
}

/** An accidental click in the menu must not appoint an owner or admin. */
function RaiseMemberDialog({
  member: { userId, name },
  role,
  onClose,
}: {
  member: Member
  role: MemberRole
  onClose(): void
}) {
  return (
    <ConfirmChange
      operation="changeMember"
      input={{ params: { userId }, body: { role } }}
      refreshes={['listMembers']}
      title={words.raiseTitle(name, words.roles[role].label)}
      action={words.raiseAction(words.roles[role].label)}
      isDanger={false}
      failed={words.changeFailed}
      done={words.roleChanged(name, words.roles[role].label)}
      onClose={onClose}
    >
      <p>{role === 'owner' ? words.ownerDetail : words.adminDetail}</p>
    </ConfirmChange>
  )
}

function RemoveMemberDialog({ member, onClose }: { member: Member; onClose(): void }) {
  return (
    <ConfirmChange
      operation="removeMember"
      input={{ params: { userId: member.userId } }}
      refreshes={['listMembers']}
      title={words.removeTitle(member.name)}
      action={words.removeAction}
      failed={words.removeFailed}
      done={words.removed(member.name)}
      onClose={onClose}
    >
      <p>{words.removeDetail}</p>
    </ConfirmChange>
  )
}
