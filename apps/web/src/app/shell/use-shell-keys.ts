import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { moveAlongMain } from '../../core/lists/main-rows.ts'
import { besideOpened } from '../../core/lists/opened-list.ts'
import { shellWords } from '../../core/messages/en/shell.ts'
import { listOf } from '../../core/url/list-of.ts'
import type { KeyBinding, Keys } from '../../infrastructure/keys/key-map.ts'
import { useKeyListener, useKeys } from '../../infrastructure/keys/use-keys.ts'
import { listAsLeft, useListSearches } from '../../infrastructure/routing/list-search.ts'
import { useGoTo, usePathname } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

interface Place {
  keys: Keys
  label: string
  href: string
}

/** The filter field of a list. */
export const SEARCH_FIELD = '#content input[type="search"]'
/** The first such control of the page. */
const inPage = (selector: string) => document.querySelector<HTMLElement>(`#content ${selector}`)

/** The keys that work on every page. */
export function useShellKeys({ showPalette, showKeys }: { showPalette(): void; showKeys(): void }): void {
  const { paths, may } = usePlace()
  const goTo = useGoTo()
  const { nav, search, keys, filterKey, actionsKey, previousKey, nextKey, firstOfList, lastOfList, moveKey } =
    shellWords
  // Steps along a list are one entry of the history: back returns to the list.
  const goBeside = (step: 1 | -1) => {
    const beside = besideOpened(location.pathname, step)
    if (beside === 'end') showNotice({ title: step === 1 ? lastOfList : firstOfList })
    else if (beside !== null) goTo(beside.href, { replace: true })
  }
  const pathname = usePathname()
  useListSearches()
  const goUp = () => {
    const opened = new URLSearchParams(location.search)
    // An open step handles Escape itself, not the page.
    if (opened.has('node') || opened.has('edit')) return
    const list = listAsLeft(location.pathname, opened.get('project'))
    if (list !== null) goTo(list)
  }
  const places: Place[] = [
    { keys: 'g h', label: nav.home, href: paths.home },
    { keys: 'g a', label: nav.agents, href: paths.agents },
    { keys: 'g t', label: nav.teams, href: paths.teams },
    { keys: 'g w', label: nav.workflows, href: paths.workflows },
    { keys: 'g k', label: nav.knowledge, href: paths.knowledge },
    { keys: 'g l', label: nav.skills, href: paths.skills },
    { keys: 'g o', label: nav.tools, href: paths.tools() },
    { keys: 'g p', label: nav.phone, href: paths.phone() },
    { keys: 'g r', label: nav.runs, href: paths.runs },
    { keys: 'g v', label: nav.reviews, href: paths.reviews },
    { keys: 'g u', label: nav.usage, href: paths.usage },
    { keys: 'g s', label: nav.settings, href: paths.settings() },
  ]
  const reachable = may('read') ? places : places.filter(({ href }) => href === paths.reviews)
  const keysOfShell: KeyBinding[] = [
    { keys: 'mod+k', label: search, run: showPalette },
    { keys: '?', label: keys, run: showKeys },
    { keys: '/', label: filterKey, run: () => document.querySelector<HTMLElement>(SEARCH_FIELD)?.focus() },
    { keys: '.', label: actionsKey, run: () => inPage('header [aria-haspopup]')?.click() },
    ...(listOf(pathname) === null
      ? []
      : [{ keys: 'escape' as const, label: shellWords.backToList, run: goUp }]),
    { keys: '[', label: previousKey, run: () => goBeside(-1) },
    { keys: ']', label: nextKey, run: () => goBeside(1) },
    { keys: 'j', label: moveKey, run: () => moveAlongMain(1), isUnlisted: true },
    { keys: 'k', label: moveKey, run: () => moveAlongMain(-1), isUnlisted: true },
    ...reachable.map(({ keys: pressed, label, href }) => ({ keys: pressed, label, run: () => goTo(href) })),
  ]
  useKeys(keysOfShell.map((one) => ({ ...one, isOfShell: true })))
  useKeyListener((why) => showNotice({ title: why }))
}
