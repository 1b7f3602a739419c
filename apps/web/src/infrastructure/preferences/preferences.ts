import { createValueStore, type ValueStore } from '../client/value-store.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** A small setting of this browser. It is read before the first paint, so it is in `localStorage` and not in IndexedDB. */
function setting(name: string, fallback: string): ValueStore<string> {
  const key = `troupe.${name}`
  const store = createValueStore(read(key) ?? fallback)
  return {
    ...store,
    set: (value) => {
      store.set(value)
      try {
        localStorage.setItem(key, value)
      } catch {
        // A full or forbidden storage keeps the setting for this page only.
      }
    },
  }
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** `light`, `dark`, or `system`. */
export const themeSetting = setting('theme', 'system')
/** Slug of the organization that was open last; '' for none. */
export const lastOrganization = setting('organization', '')
/** `off` switches keys of one letter off (WCAG 2.1.4). */
export const letterKeys = setting('letter-keys', 'on')

/**
 * How workflows are opened: `outline` or `map`, as chosen last. '' is the outline, until a first workflow is created on
 * a wide window.
 */
export const workflowView = setting('workflow-view', '')

/** Applies the theme now and after each change. Call once. */
export function followTheme(): void {
  const apply = () => {
    const theme = themeSetting.get()
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
    else delete document.documentElement.dataset.theme
  }
  apply()
  themeSetting.subscribe(apply)
}
