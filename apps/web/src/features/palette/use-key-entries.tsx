import { Command } from 'lucide-react'
import type { MenuEntry } from '../../atoms/overlays/menu.tsx'
import { isMac, type KeyBinding, shownKeys } from '../../infrastructure/keys/key-map.ts'
import { useKeyBindings } from '../../infrastructure/keys/use-keys.ts'

/** The keyboard actions of the open page, so that the palette finds them by name. */
export function useKeyEntries(): MenuEntry[] {
  return actionsOfPage(useKeyBindings()).map(({ keys, label, run, refusal = null }) => ({
    id: `key-${keys}`,
    label,
    icon: <Command size={16} />,
    keys: shownKeys(keys, isMac),
    onAction: run,
    ...(refusal === null ? {} : { isDisabled: true, detail: refusal }),
  }))
}

/** If several bindings have the same keys, the last added one. `C` is omitted: the palette creates resources on every page. */
function actionsOfPage(bindings: readonly KeyBinding[]): readonly KeyBinding[] {
  const own = bindings.filter(({ keys, isOfShell = false }) => !isOfShell && keys !== 'c')
  return [...new Map(own.map((one) => [one.keys, one])).values()]
}
