import type { Credential } from '@troupe/contract/builder'
import { useState } from 'react'
import { RadioGroup } from '../../atoms/controls/choices.tsx'
import { TagField } from '../../atoms/controls/tag-field.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { FormDialog } from '../../atoms/overlays/form-dialog.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { asSentence } from '../../core/format/sentence.ts'
import { serverNow } from '../../core/format/server-clock.ts'
import { relativeTime } from '../../core/format/times.ts'
import { typedDifferences } from '../../core/forms/typed-fields.ts'
import { toolWords } from '../../core/messages/en/resources/tools.ts'
import { standingHostFault } from '../../core/tools/host-fault.ts'
import { isHostCovered } from '../../core/tools/is-host-covered.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import { controlsOf } from '../../infrastructure/drafts/controls-of.ts'
import { useTypedForm } from '../../infrastructure/drafts/use-typed-form.ts'
import { useChange, useOperation } from '../../infrastructure/queries/use-operation.ts'
import { withFreeSlug } from '../../infrastructure/queries/with-free-slug.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ProjectField } from '../../parts/project-field/project-field.tsx'
import { VersionConflict } from '../../parts/unsaved/version-conflict.tsx'

const words = toolWords.credentials
const KINDS = ['bearer', 'basic', 'header', 'query'] as const
const PATHS = ['name', 'slug', 'projectId', 'kind', 'username', 'field', 'secret']
const REFRESHES = ['listCredentials', 'getCredential', 'listMcpServers', 'getMcpServer'] as const

export interface CredentialDialogProps {
  /** null: a new one. */
  credential: Credential | null
  onClose(): void
}

type CredentialFields = Pick<Credential, 'name' | 'kind' | 'hosts' | 'projectId'> & {
  username: string
  field: string
}

/** Adds or changes a credential. The secret is only in this form until it is sent, and in no response. */
export function CredentialDialog({ credential: opened, onClose }: CredentialDialogProps) {
  const { projectId: here } = usePlace()
  // The current state: a colleague may have changed it since the dialog was opened.
  const asked = useOperation(
    'getCredential',
    { params: { credentialId: opened?.credentialId ?? '' } },
    { isEnabled: opened !== null },
  )
  const credential = opened && (asked.data ?? opened)
  const stored: CredentialFields = {
    name: credential?.name ?? '',
    kind: credential?.kind ?? 'bearer',
    username: credential?.username ?? '',
    field: credential?.field ?? '',
    hosts: credential?.hosts ?? [],
    projectId: credential ? credential.projectId : here,
  }
  const typed = useTypedForm(`credential/${credential?.credentialId ?? 'new/'}`, stored)
  const { name, kind, username, field, hosts, projectId } = typed.fields
  // Secrets are not stored.
  const [secret, setSecret] = useState('')
  /**
   * The version on which the secret was entered: a colleague's secret, which nobody can read, is never replaced without a
   * confirmation.
   */
  const [secretBase, setSecretBase] = useState<number | null>(null)
  const typeSecret = (next: string) => {
    setSecret(next)
    setSecretBase(next === '' ? null : (secretBase ?? credential?.version ?? null))
  }
  const create = useChange('createCredential', { refreshes: REFRESHES })
  const update = useChange('updateCredential', { refreshes: REFRESHES })
  const { failure } = credential ? update : create
  const hasField = kind === 'header' || kind === 'query'
  const needsSecret =
    credential === null ||
    hosts.some((one) => !isHostCovered(credential.hosts, one) && !credential.hosts.includes(one))
  const fields = {
    name,
    kind,
    hosts: [...hosts],
    projectId,
    username: kind === 'basic' ? username : null,
    field: hasField ? field : null,
  }
  const changedKeys = new Set(Object.keys(typed.changed))
  // Another kind has another field beside its secret.
  if (changedKeys.has('kind')) for (const key of ['username', 'field']) changedKeys.add(key)
  const [sentHosts, setSentHosts] = useState(hosts)
  const send = async (version: number) => {
    setSentHosts(hosts)
    const given = secret === '' ? {} : { secret }
    const done = credential
      ? await update.run({
          params: { credentialId: credential.credentialId },
          // Unchanged fields are omitted, so that a colleague's change is kept.
          body: {
            ...Object.fromEntries(Object.entries(fields).filter(([key]) => changedKeys.has(key))),
            ...given,
            version,
          },
        })
      : await withFreeSlug({ name, fallback: 'credential' }, (slug, onFailure) =>
          create.run({ body: { ...fields, slug, secret } }, onFailure),
        )
    if (!done) return credential ? asked.retry() : undefined
    typed.discard()
    typeSecret('')
    showNotice({ title: credential ? words.changedNotice(name) : words.added(name) })
    onClose()
  }
  const isStale = (update.failure?.current ?? null) !== null
  const hostFaults = failure?.errors.filter(({ path }) => /^hosts\b/.test(path)) ?? []
  const hostFault = standingHostFault(hostFaults, sentHosts, hosts)
  const isComplete =
    name.trim() !== '' &&
    hosts.length > 0 &&
    (!needsSecret || secret !== '') &&
    (kind !== 'basic' || username !== '') &&
    (!hasField || field !== '')
  const control = controlsOf(typed, failure)
  return (
    <>
      <FormDialog
        title={credential ? words.changeTitle(credential.name) : words.create}
        onClose={onClose}
        action={credential ? toolWords.save : words.createAction}
        onSubmit={() => send(secretBase ?? credential?.version ?? 1)}
        isPending={create.isPending || update.isPending}
        isComplete={isComplete}
        failed={credential ? words.changeFailed : words.createFailed}
        failure={isStale ? null : formFailure(failure, [...PATHS, ...hostFaults.map(({ path }) => path)])}
        typed={typed}
      >
        <TextField
          label={toolWords.name}
          value={name}
          onChange={(next) => typed.change({ name: next })}
          autoFocus={credential === null}
          isRequired
          maxLength={128}
          error={fieldFailure(failure, 'name') ?? fieldFailure(failure, 'slug')}
        />
        <TagField
          label={words.hosts}
          description={words.hostsDetail}
          placeholder={words.hostsPlaceholder}
          value={hosts}
          onChange={(next) => typed.change({ hosts: next.map(hostOf) })}
          error={
            hostFault === null || hostFault.host === null
              ? asSentence(hostFault?.message ?? null)
              : words.hostFault(hostFault.host, hostFault.message)
          }
        />
        <RadioGroup
          label={words.kind}
          value={kind}
          onChange={(next) => typed.change({ kind: next })}
          options={KINDS.map((id) => ({ id, ...words.kinds[id] }))}
        />
        {kind === 'basic' && (
          <TextField
            label={words.username}
            {...control('username')}
            isRequired
            autoComplete="off"
            maxLength={256}
          />
        )}
        {(kind === 'header' || kind === 'query') && (
          <TextField
            label={words.field[kind]}
            placeholder={words.fieldPlaceholder[kind]}
            {...control('field')}
            isMono
            isRequired
            maxLength={128}
          />
        )}
        <TextField
          label={words.secret[kind]}
          description={secretNote(credential, needsSecret)}
          isSecret
          autoComplete="new-password"
          value={secret}
          onChange={typeSecret}
          isRequired={needsSecret}
          maxLength={8_192}
          error={fieldFailure(failure, 'secret')}
        />
        <ProjectField
          label={toolWords.project}
          wholeOrganization={toolWords.wholeOrganization}
          {...control('projectId')}
        />
      </FormDialog>
      <VersionConflict
        change={update}
        what={toolWords.conflict.credential}
        differences={[
          ...typedDifferences(
            readable(typed.changed),
            readable(stored),
            kind === 'query' ? QUERY_LABELS : LABELS,
          ),
          ...(secret === ''
            ? []
            : [
                {
                  path: 'secret',
                  label: words.secret[kind],
                  before: words.oldSecret,
                  after: words.newSecret,
                },
              ]),
        ]}
        onTakeTheirs={() => {
          typed.discard()
          onClose()
        }}
        onKeepMine={send}
      />
    </>
  )
}

const LABELS = {
  name: toolWords.name,
  kind: words.kind,
  username: words.username,
  field: words.field.header,
  hosts: words.hosts,
  projectId: toolWords.project,
}
const QUERY_LABELS = { ...LABELS, field: words.field.query }

/** The fields with the label of the kind instead of its id. */
function readable<F extends Partial<CredentialFields>>(fields: F) {
  return fields.kind === undefined ? fields : { ...fields, kind: words.kinds[fields.kind].label }
}

function secretNote(credential: Credential | null, needsSecret: boolean): string {
  if (credential === null) return words.secretOnce
  if (needsSecret) return words.secretAgain
  return words.secretKept(credential.hint, relativeTime(credential.secretSetAt, serverNow()))
}

/** A pasted URL is reduced to its host. */
function hostOf(text: string): string {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).hostname : text
}
