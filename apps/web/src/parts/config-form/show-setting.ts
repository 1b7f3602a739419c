import { settingElementId } from './setting-element-id.ts'

/** How long to wait for the field itself if an element around it exists already. */
const FIELD_MS = 500
/** How long the code of a folded part may take to load. */
const CODE_MS = 5_000
const CONTROLS =
  'input:not([type="hidden"]),textarea,select,button,[contenteditable="true"],summary,[tabindex="0"]'

/**
 * Shows a setting and focuses it. Folded elements around it are opened step by step, because the inside of an item is rendered when
 * it is opened; for a setting without its own field, the nearest one around it is shown.
 *
 * @param path below `config`: `tools.0.timeout_ms`; or `name`, `description`
 */
export function showSetting(path: string): void {
  latest += 1
  for (const listener of [...onAsked]) listener(path)
  lookFor(path, latest, performance.now())
}

const onAsked = new Set<(path: string) => void>()

/** Subscribes to requests to show a setting, for example because it prevents a save; returns the unsubscribe function. */
export function onSettingShown(listener: (path: string) => void): () => void {
  onAsked.add(listener)
  return () => void onAsked.delete(listener)
}

/** The number of the last call, which cancels earlier ones that still wait. */
let latest = 0

function lookFor(path: string, call: number, startedMs: number): void {
  if (call !== latest) return
  const found = nearestElement(path)
  if (found) openAround(found.element)
  const patienceMs = found ? FIELD_MS : CODE_MS
  if (found?.path !== path && performance.now() - startedMs < patienceMs) {
    requestAnimationFrame(() => lookFor(path, call, startedMs))
    return
  }
  if (!found) return
  found.element.scrollIntoView({ block: 'center' })
  found.element.querySelector<HTMLElement>(CONTROLS)?.focus({ preventScroll: true })
}

function nearestElement(path: string): { element: HTMLElement; path: string } | null {
  const keys = path.split('.')
  for (let length = keys.length; length > 0; length -= 1) {
    const part = keys.slice(0, length).join('.')
    const element = document.getElementById(settingElementId(part))
    // A kept but hidden element does not count as shown.
    if (element && !element.closest('[hidden],[data-inert]')) return { element, path: part }
  }
  return null
}

function openAround(element: HTMLElement): void {
  const inside = element.querySelector(':scope > details')
  if (inside instanceof HTMLDetailsElement) inside.open = true
  for (let fold = element.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null) {
    fold.open = true
  }
}
