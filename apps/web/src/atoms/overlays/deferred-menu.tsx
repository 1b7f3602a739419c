import { type ReactNode, Suspense, useState } from 'react'
import { BareButton } from '../controls/bare-button.tsx'
import { lazyPart } from '../parts/lazy-part.ts'
import { loadCode } from '../parts/load-code.ts'
import type { MenuGroup, MenuProps } from './menu.tsx'

const loadMenu = () => loadCode(() => import('./menu.tsx'))
const ActionMenu = lazyPart(async () => (await loadMenu()).ActionMenu)

export interface DeferredMenuProps extends Pick<MenuProps, 'label' | 'placement'> {
  groups: readonly MenuGroup[]
  className: string | undefined
  /** The content of the button. */
  children: ReactNode
}

/**
 * A menu of the frame around every page. Its code is loaded when its button is hovered or focused, and the menu is
 * created at the first press, so that neither delays the first page.
 */
export function DeferredMenu({ className, children, ...menu }: DeferredMenuProps) {
  const [isMade, setMade] = useState(false)
  // The press reports its failure itself.
  const load = () => void loadMenu().catch(() => undefined)
  const waiting = (
    <BareButton
      className={className}
      aria-haspopup="menu"
      aria-expanded={isMade}
      onHoverStart={load}
      onFocus={load}
      onPress={() => setMade(true)}
    >
      {children}
    </BareButton>
  )
  if (!isMade) return waiting
  return (
    <Suspense fallback={waiting}>
      <ActionMenu
        {...menu}
        isOpenAtFirst
        trigger={
          <BareButton className={className} autoFocus>
            {children}
          </BareButton>
        }
      />
    </Suspense>
  )
}
