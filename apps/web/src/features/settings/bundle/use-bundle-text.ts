import { hasWrittenSecrets } from '../../../core/bundles/bundle-text.ts'
import { useDraft } from '../../../infrastructure/drafts/use-draft.ts'
import { useValue } from '../../../infrastructure/preferences/use-value.ts'
import type { TabMemory } from './tab-memory.ts'

const isText = (value: unknown): value is string => typeof value === 'string'

/** The bundle to apply. */
export interface BundleText {
  text: string
  change(text: string): void
  isLoading: boolean
  /** Its storage beyond this page: on the device, in this tab, or none. */
  kept: 'device' | 'tab' | 'nowhere'
}

/** Keeps the text on the device, unless it contains secrets. */
export function useBundleText({ secretText }: TabMemory): BundleText {
  const draft = useDraft('bundle', isText)
  const secret = useValue(secretText)
  return {
    text: secret ?? draft.value ?? '',
    isLoading: draft.isLoading,
    kept: secret !== null ? 'tab' : draft.isKept ? 'device' : 'nowhere',
    change: (text) => {
      const isSecret = hasWrittenSecrets(text)
      secretText.set(isSecret ? text : null)
      if (isSecret || text === '') draft.discard()
      else draft.edit(text, '')
    },
  }
}
