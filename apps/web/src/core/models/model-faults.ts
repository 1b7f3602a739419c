import type { FieldError } from '@troupe/contract'
import type { LlmConfiguration, ProviderForm } from '@troupe/contract/builder'
import { modelWords as words } from '../messages/en/settings/models.ts'
import type { ModelDraft } from './model-draft.ts'

/** Errors of an LLM configuration's form before it is sent. */
export interface SentForm {
  provider: ProviderForm
  draft: ModelDraft
  /** Absent keeps the stored one, null removes it. */
  credentials: Readonly<Record<string, string | null>>
  stored: Pick<LlmConfiguration, 'credentialFields'> | null
  /** Slugs of the other configurations. */
  taken: readonly string[]
}

/**
 * Every reason for which a save would be refused and that the form can detect, in the order of its fields.
 */
export function modelFaults({ provider, draft, credentials, stored, taken }: SentForm): FieldError[] {
  const missing = (path: string, isMissing: boolean, message: string = words.isRequired) =>
    isMissing ? [{ path, message }] : []
  const hasBaseUrl = draft.baseUrl.trim() !== ''
  const isEmpty = (name: string) => String(draft.settings[name] ?? '').trim() === ''
  const isWithout = (name: string) => {
    const typed = credentials[name]
    if (typed === null) return true
    const isStored = stored?.credentialFields.some((field) => field.name === name && field.isSet) ?? false
    return !isStored && (typed ?? '').trim() === ''
  }
  return [
    ...missing('baseUrl', provider.baseUrl === 'required' && !hasBaseUrl),
    ...provider.credentials.flatMap(({ name, required }) =>
      missing(`credentials.${name}`, required && isWithout(name)),
    ),
    ...provider.settings.flatMap(({ name, required, requiredWithoutBaseUrl }) => [
      ...missing(`settings.${name}`, required && isEmpty(name)),
      ...missing(
        `settings.${name}`,
        requiredWithoutBaseUrl && !hasBaseUrl && isEmpty(name),
        words.requiredWithoutBaseUrl,
      ),
    ]),
    ...missing('models', draft.models.length === 0, words.modelsRequired),
    ...missing('name', draft.name.trim() === ''),
    ...missing('slug', draft.slug.trim() === ''),
    ...missing('slug', taken.includes(draft.slug), words.slugTaken),
  ]
}

/** The paths of fields edited by a change of the draft: their errors may be outdated. */
export function editedPaths(before: ModelDraft, part: Partial<ModelDraft>): string[] {
  return Object.keys(part).flatMap((field) => {
    if (field === 'settings') {
      const names = Object.keys({ ...before.settings, ...part.settings })
      return names
        .filter((name) => before.settings[name] !== part.settings?.[name])
        .map((name) => `settings.${name}`)
    }
    if (field === 'models') {
      const models = part.models ?? []
      const length = Math.max(models.length, before.models.length)
      const edited = Array.from({ length }, (_, index) => index).filter(
        (index) => models[index] !== before.models[index],
      )
      return ['models', ...edited.map((index) => `models.${index}`)]
    }
    // A resource is needed only without a base URL.
    if (field === 'baseUrl') return ['baseUrl', 'settings.resourceName']
    return [field]
  })
}
