import { type FieldError, isJsonObject } from '@troupe/contract'
import type { ConnectionTest, LlmConfiguration, ProviderForm } from '@troupe/contract/builder'
import { useMemo, useState } from 'react'
import { asSentence } from '../../../core/format/sentence.ts'
import { modelWords as words } from '../../../core/messages/en/settings/models.ts'
import {
  changedFields,
  draftOfConfiguration,
  type HeaderEdit,
  type HeaderRow,
  headersOfConfiguration,
  isModelEdit,
  joinDrafts,
  joinHeaders,
  type ModelDraft,
  type ModelEdit,
  mergedModelEdits,
  modelEditSince,
  settingsToSend,
} from '../../../core/models/model-draft.ts'
import { editedPaths, modelFaults } from '../../../core/models/model-faults.ts'
import type { CallFailure } from '../../../infrastructure/client/call-failure.ts'
import { fieldFailure } from '../../../infrastructure/client/field-failure.ts'
import { type Draft, useDraft } from '../../../infrastructure/drafts/use-draft.ts'
import { useChange } from '../../../infrastructure/queries/use-operation.ts'
import type { BasedEdit } from '../../../parts/unsaved/based-edit.ts'
import { useEditSync } from '../../../parts/unsaved/use-edit-sync.ts'

/** The input of a credential field: absent keeps the stored one, null removes it. */
export type TypedCredentials = Readonly<Record<string, string | null>>

const REFRESHED = ['listLlmConfigurations', 'getLlmConfiguration', 'getHome', 'listBudgets'] as const

/** The form of one configuration: a stored edit, secrets that are not stored, a test, and the save. */
export interface ModelForm {
  provider: ProviderForm
  stored: LlmConfiguration | null
  draft: ModelDraft
  change(part: Partial<ModelDraft>): void
  credentials: TypedCredentials
  typeCredential(name: string, value: string | null | undefined): void
  headers: readonly HeaderRow[]
  changeHeaders(headers: readonly HeaderRow[]): void
  /** The form differs from the server's version. */
  isChanged: boolean
  /** A secret was typed, which is not stored: leaving the page loses it. */
  hasTypedSecret: boolean
  /** An edit of an earlier visit was restored, without its secrets. */
  isRestored: boolean
  isLoading: boolean
  discard(): void
  /** The error of a field, from the last test or save; null after its next change. */
  faultOf(path: string): string | null
  /** The paths refused by the last save and not changed since. */
  faults: readonly string[]
  /** The number of refused saves: with each, the first invalid field is focused. */
  refusals: number
  /** The input, in the operations' format of a connection. */
  connection(): ReturnType<typeof connectionOf>
  test: {
    run(modelId: string): Promise<void>
    result: TestedModel | null
    failure: CallFailure | null
    isPending: boolean
  }
  save: {
    /** `isJoined`: merged with the current stored version. Resolves with the configuration; null when it failed. */
    run(version?: number, isJoined?: boolean): Promise<LlmConfiguration | null>
    failure: CallFailure | null
    isPending: boolean
    reset(): void
  }
}

/** The result of a test of one model. */
export interface TestedModel {
  modelId: string
  answer: ConnectionTest
}

/**
 * @param stored null for a new configuration
 * @param initial the form's values before any input
 * @param taken slugs of the other configurations
 */
export function useModelForm(
  provider: ProviderForm,
  stored: LlmConfiguration | null,
  initial: ModelDraft,
  taken: readonly string[] = [],
): ModelForm {
  const kept = useModelEdit(stored, `model/${stored?.llmConfigId ?? `new-${provider.providerId}`}`)
  const [hasTyped, setTyped] = useState(false)
  const [credentials, setCredentials] = useState<TypedCredentials>({})
  const [headers, setHeaders] = useState<HeaderEdit | null>(null)
  const [secretBase, setSecretBase] = useState<number | null>(null)
  const [tested, setTested] = useState<TestedModel | null>(null)
  const [missing, setMissing] = useState<readonly FieldError[]>([])
  /** The changes since the last save. */
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set())
  const [refusals, setRefusals] = useState(0)
  const testing = useChange('testLlmConfiguration')
  const creating = useChange('createLlmConfiguration', { refreshes: REFRESHED })
  const updating = useChange('updateLlmConfiguration', { refreshes: REFRESHED })
  const saving = stored === null ? creating : updating
  const edit = kept.value
  const draft = edit?.now ?? initial
  const storedRows = headersOfConfiguration(provider, stored)
  const rows = headers?.now ?? storedRows
  const storedVersion = stored?.version ?? 0
  const hasSecretEdit = headers !== null || Object.keys(credentials).length > 0
  /**
   * The base version of the edit: a save over a colleague's must be refused, so that both are merged. An edit of another device may be of
   * a version that this page has not read yet: without it, the headers of that version would be removed.
   */
  const bases = [
    ...(kept.base === null ? [] : [Number(kept.base)]),
    ...(hasSecretEdit && secretBase !== null ? [secretBase] : []),
  ]
  const base = Math.min(storedVersion, ...bases)
  const forgetTest = () => {
    setTested(null)
    testing.reset()
  }
  const form = { provider, draft, credentials, headers: rows }
  const noteEdits = (paths: readonly string[]) => setEdited((others) => new Set([...others, ...paths]))
  const startSave = (found: readonly FieldError[]) => {
    setMissing(found)
    setEdited(new Set())
  }
  const refused = () => setRefusals((count) => count + 1)
  const isEdited = (path: string) => edited.has(path) || edited.has(path.replace(/^(models\.\d+)\..*$/, '$1'))
  const savedFaults = [...missing, ...refusedFields(saving.failure)].filter(({ path }) => !isEdited(path))
  const discard = () => {
    kept.discard()
    setCredentials({})
    setHeaders(null)
    setSecretBase(null)
    forgetTest()
    startSave([])
    saving.reset()
  }
  /** Input during the save is kept, as an edit of the sent version. */
  const settle = (sent: Sent, version: number) => {
    const isAllSaved = kept.settle(edit, ({ now }) => ({
      value: { from: sent.draft, now: joinDrafts({ from: draft, now }, sent.draft) },
      base: String(version),
    }))
    if (isAllSaved) setTyped(false)
    setCredentials((typed) => (typed === credentials ? {} : typed))
    setHeaders((typed) =>
      typed === headers || typed === null
        ? null
        : { from: sent.headers, now: joinHeaders({ from: rows, now: typed.now }, sent.headers) },
    )
    setSecretBase(version)
    forgetTest()
    saving.reset()
  }
  const joined = (): Sent => ({
    draft: edit === null || stored === null ? draft : joinDrafts(edit, draftOfConfiguration(stored)),
    headers: headers === null ? storedRows : joinHeaders(headers, storedRows),
  })
  return {
    ...form,
    stored,
    change: (part) => {
      setTyped(true)
      if ('baseUrl' in part || 'settings' in part) forgetTest()
      noteEdits(editedPaths(draft, part))
      kept.edit({ from: edit?.from ?? initial, now: { ...draft, ...part } }, kept.base ?? `${storedVersion}`)
    },
    typeCredential: (name, value) => {
      forgetTest()
      noteEdits([`credentials.${name}`])
      if (!hasSecretEdit) setSecretBase(storedVersion)
      const { [name]: _, ...others } = credentials
      setCredentials(value === undefined ? others : { ...others, [name]: value })
    },
    changeHeaders: (next) => {
      forgetTest()
      if (!hasSecretEdit) setSecretBase(storedVersion)
      setHeaders({ from: headers?.from ?? storedRows, now: next })
    },
    isChanged: changedFields(edit?.from ?? initial, draft).length > 0 || hasSecretEdit,
    hasTypedSecret:
      Object.values(credentials).some((value) => value !== null && value !== '') ||
      rows.some(({ value }) => value !== ''),
    isRestored: edit !== null && !hasTyped,
    isLoading: kept.isLoading,
    discard,
    faultOf: (path) => faultOf(path, { tested, saved: savedFaults, testing: testing.failure }),
    faults: [...new Set(savedFaults.map(({ path }) => path))],
    refusals,
    connection: () => connectionOf(form, stored),
    test: {
      run: async (modelId) => {
        setTested(null)
        const answer = await testing.run({ body: { ...connectionOf(form, stored), modelId } })
        if (answer) setTested({ modelId, answer: answer.answer })
      },
      result: tested,
      failure: testing.failure,
      isPending: testing.isPending,
    },
    save: {
      run: async (version = base, isJoined = false) => {
        const sent = isJoined ? joined() : form
        const found = modelFaults({ ...form, ...sent, stored, taken })
        startSave(found)
        if (found.length > 0) {
          saving.reset()
          refused()
          return null
        }
        const body = bodyOf({ ...form, ...sent })
        const saved =
          stored === null
            ? await creating.run({ body: { ...body, providerId: provider.providerId } })
            : await updating.run({
                params: { llmConfigId: stored.llmConfigId },
                body: { ...body, version },
              })
        if (!saved) {
          refused()
          return null
        }
        settle(sent, saved.answer.version)
        return saved.answer
      },
      failure: saving.failure,
      isPending: saving.isPending,
      reset: saving.reset,
    },
  }
}

interface SyncedModel {
  from: ModelDraft
  mine: ModelDraft
}

function isSyncedModel(value: unknown): value is SyncedModel {
  return isJsonObject(value) && isModelEdit({ from: value.from, now: value.mine })
}

function based({ from, now }: ModelEdit, base: string): BasedEdit<SyncedModel> {
  return { edit: { from, mine: now }, base }
}

/** The edit, on every device of its user. */
function useModelEdit(stored: LlmConfiguration | null, key: string): Draft<ModelEdit> {
  const kept = useDraft(key, isModelEdit)
  const shown = useMemo(
    () => (kept.value === null || kept.base === null ? null : based(kept.value, kept.base)),
    [kept.value, kept.base],
  )
  useEditSync<SyncedModel>({
    thing: stored && { kind: 'llm_configuration', id: stored.llmConfigId },
    ...{ key, isEdit: isSyncedModel, origin: kept.origin, isLoading: kept.isLoading },
    shown,
    local: () => {
      const latest = kept.latest()
      return latest && based(latest.value, latest.base)
    },
    setLocal: (next) =>
      next === null ? kept.discard() : kept.edit({ from: next.edit.from, now: next.edit.mine }, next.base),
    // The server refuses a save over a newer version; it is then merged.
    readSaved: async () => undefined,
    merge: mergedModelEdits,
    since: (local, former) => (former === null ? local : modelEditSince(local, former)),
  })
  return kept
}

type Sent = Pick<ModelForm, 'draft' | 'headers'>
type Typed = Pick<ModelForm, 'provider' | 'draft' | 'credentials' | 'headers'>

function connectionOf({ provider, draft, credentials, headers }: Typed, stored: LlmConfiguration | null) {
  return {
    ...(stored === null ? {} : { llmConfigId: stored.llmConfigId }),
    providerId: provider.providerId,
    baseUrl: draft.baseUrl.trim() || null,
    settings: settingsToSend(provider, draft.settings, headers),
    credentials: given(credentials),
  }
}

function bodyOf({ provider, draft, credentials, headers }: Typed) {
  return {
    name: draft.name.trim(),
    slug: draft.slug,
    projectId: draft.projectId,
    status: draft.status,
    default: draft.default,
    baseUrl: draft.baseUrl.trim() || null,
    settings: settingsToSend(provider, draft.settings, headers),
    models: [...draft.models],
    allowUnlistedModels: draft.allowUnlistedModels,
    credentials: given(credentials),
  }
}

/** A cleared field keeps the stored value. Spaces are typical of copying. */
function given(credentials: TypedCredentials): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(credentials).flatMap(([name, value]) => {
      const text = value?.trim()
      return text === '' ? [] : [[name, text ?? null]]
    }),
  )
}

/** The server's errors, by field: including a taken slug, identified by its code. */
function refusedFields(failure: CallFailure | null): readonly FieldError[] {
  if (failure === null) return []
  return failure.code === 'slug_taken' ? [{ path: 'slug', message: words.slugTaken }] : failure.errors
}

function faultOf(
  path: string,
  faults: { tested: TestedModel | null; saved: readonly FieldError[]; testing: CallFailure | null },
): string | null {
  const saved = faults.saved.find((fault) => fault.path === path)
  if (saved) return asSentence(saved.message)
  const refused = fieldFailure(faults.testing, path)
  if (refused !== null) return refused
  const error = faults.tested?.answer.error
  return error && error.field === path ? `${error.message} ${error.fix}` : null
}
