import { type IdText, type ProjectId, type ProviderId, slugOf } from '@troupe/contract'
import type { CreateLlmConfigurationBody, LlmConfiguration, ProviderForm } from '@troupe/contract/builder'

export type CatalogModelDraft = CreateLlmConfigurationBody['models'][number]

/** The editable fields of a configuration, without secrets: they may be stored on the device. */
export interface ModelDraft {
  name: string
  slug: string
  projectId: IdText<ProjectId> | null
  status: LlmConfiguration['status']
  default: boolean
  /** '': the provider's own. */
  baseUrl: string
  /** Without additional headers. */
  /** null: a number that was removed. */
  settings: Readonly<Record<string, string | boolean | number | null>>
  models: readonly CatalogModelDraft[]
  allowUnlistedModels: boolean
}

/** An edit with its base, so that it can be merged with another user's change. */
export interface ModelEdit {
  from: ModelDraft
  now: ModelDraft
}

/** A header of a gateway. Its value may be secret, so it is never part of a draft. */
export interface HeaderRow {
  name: string
  /** '' with `isStored`: the stored one is kept. */
  value: string
  isStored: boolean
}

export function draftOfConfiguration(configuration: LlmConfiguration): ModelDraft {
  const { name, slug, projectId, status, baseUrl, settings, models, allowUnlistedModels } = configuration
  return {
    name,
    slug,
    projectId,
    status,
    default: configuration.default,
    baseUrl: baseUrl ?? '',
    settings: Object.fromEntries(
      Object.entries(settings).filter((entry): entry is [string, string | boolean | number] =>
        ['string', 'boolean', 'number'].includes(typeof entry[1]),
      ),
    ),
    models,
    allowUnlistedModels,
  }
}

/**
 * A new configuration of a provider.
 *
 * @param taken slugs of the existing configurations; the first one becomes the default
 */
export function draftOfProvider(
  provider: ProviderForm,
  projectId: IdText<ProjectId> | null,
  taken: readonly string[],
): ModelDraft {
  const { providerId, label } = provider
  let slug: string = providerId
  for (let n = 2; taken.includes(slug); n += 1) slug = `${providerId}-${n}`
  return {
    name: slug === providerId ? label : `${label}${slug.slice(providerId.length).replace('-', ' ')}`,
    slug,
    projectId,
    status: 'connected',
    default: taken.length === 0,
    baseUrl: '',
    settings: {},
    models: provider.providerId === 'sandbox' ? [{ modelId: 'sandbox-1' }] : [],
    allowUnlistedModels: false,
  }
}

/** The name of a new configuration, with the slug derived from it until a user enters another one. */
export function renamed(draft: ModelDraft, name: string, providerId: ProviderId): Partial<ModelDraft> {
  const isGiven = draft.slug.replace(/-\d+$/, '') === providerId || draft.slug === slugOf(draft.name)
  return isGiven ? { name, slug: slugOf(name) } : { name }
}

/** The headers of a stored configuration, whose values the server never returns. */
export function headersOfConfiguration(
  provider: ProviderForm,
  configuration: LlmConfiguration | null,
): HeaderRow[] {
  const field = provider.settings.find(({ kind }) => kind === 'headers')
  const stored = field && configuration?.settings[field.name]
  if (typeof stored !== 'object' || stored === null) return []
  return Object.keys(stored).map((name) => ({ name, value: '', isStored: true }))
}

/** The settings in the format of the request. A stored header whose value was not re-entered is null, which keeps it. */
export function settingsToSend(
  provider: ProviderForm,
  settings: ModelDraft['settings'],
  headers: readonly HeaderRow[],
): Record<string, unknown> {
  const known = provider.settings.flatMap(({ name, kind }): [string, unknown][] => {
    if (kind === 'headers') {
      const named = headers.filter((header) => header.name.trim() !== '')
      const values = named.map(({ name: header, value, isStored }) => [
        header.trim(),
        isStored && value === '' ? null : value,
      ])
      return named.length === 0 ? [] : [[name, Object.fromEntries(values)]]
    }
    const value = settings[name]
    return value === undefined || value === null || value === '' ? [] : [[name, value]]
  })
  return Object.fromEntries(known)
}

/** The names of the fields in which two drafts differ. */
export function changedFields(from: ModelDraft, now: ModelDraft): (keyof ModelDraft)[] {
  return DRAFT_FIELDS.filter((field) => JSON.stringify(from[field]) !== JSON.stringify(now[field]))
}

/** Another user's version with this edit's changes: models are merged by id, settings by name. */
export function joinDrafts({ from, now }: ModelEdit, theirs: ModelDraft): ModelDraft {
  const mine = Object.fromEntries(changedFields(from, now).map((field) => [field, now[field]]))
  const settingsOf = (draft: ModelDraft) => Object.entries(draft.settings)
  return {
    ...theirs,
    ...mine,
    models: joinItems(
      { from: from.models, now: now.models, theirs: theirs.models },
      ({ modelId }) => modelId,
    ),
    settings: Object.fromEntries(
      joinItems(
        { from: settingsOf(from), now: settingsOf(now), theirs: settingsOf(theirs) },
        ([name]) => name,
      ),
    ),
  }
}

/** An edit with the version that it was made from. */
interface BasedModelEdit {
  edit: { from: ModelDraft; mine: ModelDraft }
  base: string
}

/**
 * Merges two edits of one user, on the newer of their versions: changes of `local` win.
 *
 * @param former the edit that both were made from; null: none is known
 */
export function mergedModelEdits({
  local,
  former,
  remote,
}: {
  local: BasedModelEdit
  former: BasedModelEdit | null
  remote: BasedModelEdit
}): BasedModelEdit {
  const onTop = ({ from, mine }: BasedModelEdit['edit'], theirs: ModelDraft) =>
    joinDrafts({ from, now: mine }, theirs)
  const { edit, base } = Number(local.base) > Number(remote.base) ? local : remote
  const isOfFormer = former !== null && former.base === local.base && former.base === remote.base
  const typed = isOfFormer ? { from: former.edit.mine, mine: local.edit.mine } : local.edit
  return { edit: { from: edit.from, mine: onTop(typed, onTop(remote.edit, edit.from)) }, base }
}

/**
 * The part of an edit that is newer than `former`, which was saved or discarded on another device; null: nothing.
 * Values that were reset since are newer input, too, so the former values are their base.
 */
export function modelEditSince(
  { edit, base }: BasedModelEdit,
  former: BasedModelEdit,
): BasedModelEdit | null {
  const { from, mine } = edit
  const then = joinDrafts({ from: former.edit.from, now: former.edit.mine }, from)
  if (changedFields(then, mine).length === 0) return null
  return {
    edit: {
      from: joinDrafts({ from: mine, now: then }, from),
      mine: joinDrafts({ from: then, now: mine }, from),
    },
    base,
  }
}

/** An edit of the additional headers, with the rows that it was made from. */
export interface HeaderEdit {
  from: readonly HeaderRow[]
  now: readonly HeaderRow[]
}

/** Another user's headers with this edit's changes, by name. */
export function joinHeaders(edit: HeaderEdit, theirs: readonly HeaderRow[]): HeaderRow[] {
  return joinItems({ ...edit, theirs }, ({ name }) => name.trim())
}

interface Sides<Item> {
  from: readonly Item[]
  now: readonly Item[]
  theirs: readonly Item[]
}

function joinItems<Item>(sides: Sides<Item>, idOf: (item: Item) => string): Item[] {
  const byId = (items: readonly Item[]) => new Map(items.map((item) => [idOf(item), item]))
  const [from, now, theirs] = [byId(sides.from), byId(sides.now), byId(sides.theirs)]
  return [...new Set([...theirs.keys(), ...now.keys()])].flatMap((id) => {
    const isMine = JSON.stringify(from.get(id)) !== JSON.stringify(now.get(id))
    const item = (isMine ? now : theirs).get(id)
    return item === undefined ? [] : [item]
  })
}

/** Whether a stored value is an edit of this build. */
export function isModelEdit(value: unknown): value is ModelEdit {
  return isRecord(value) && isModelDraft(value.from) && isModelDraft(value.now)
}

const DRAFT_FIELDS = [
  'name',
  'slug',
  'projectId',
  'status',
  'default',
  'baseUrl',
  'settings',
  'models',
  'allowUnlistedModels',
] as const satisfies readonly (keyof ModelDraft)[]

function isModelDraft(value: unknown): value is ModelDraft {
  return (
    isRecord(value) &&
    DRAFT_FIELDS.every((field) => field in value) &&
    typeof value.name === 'string' &&
    typeof value.slug === 'string' &&
    typeof value.baseUrl === 'string' &&
    isRecord(value.settings) &&
    Array.isArray(value.models) &&
    value.models.every((model) => isRecord(model) && typeof model.modelId === 'string')
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
