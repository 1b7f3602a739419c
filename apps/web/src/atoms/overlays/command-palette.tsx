import { Search } from 'lucide-react'
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react'
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components'
import { isComposing } from '../../core/keys/is-composing.ts'
import { type AnchorNow, popoverPlace } from '../../core/overlays/popover-place.ts'
import { classNames } from '../styles/class-names.ts'
import type { MenuGroup } from './menu.tsx'
import styles from './palette.module.css'

export interface CommandPaletteProps {
  isOpen: boolean
  onClose(): void
  label: string
  placeholder: string
  /** The typed text. The caller filters, because matches of the server arrive pre-filtered. */
  text: string
  onText(text: string): void
  /** Enter without a chosen entry: the text was not typed here, so none was chosen by it. */
  onEnter(): void
  groups: readonly MenuGroup[]
  empty: ReactNode
  /** Opens as a popover at this element; without it, and on phones, centered at the top of the window. */
  anchor?: AnchorNow | null
}

/** As in the styles, in CSS pixels. */
const POPOVER = { width: 416, most: 488 }

/** One field that finds every page, item and action. The focus stays in the field; arrows and Enter choose. */
export function CommandPalette(props: CommandPaletteProps) {
  const { isOpen, onClose, label, placeholder, text, onText, onEnter, groups, empty, anchor = null } = props
  const place = useAnchoredStyle(anchor)
  const modal = useRef<HTMLDivElement>(null)
  const onInput = (next: string) => {
    // Above its anchor, the field would move with the number of matches.
    const height = modal.current?.offsetHeight
    if (place?.isAbove) modal.current?.style.setProperty('--least', `${height}px`)
    onText(next)
  }
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => open || onClose()}
      isDismissable
      className={classNames(styles.scrim, place && styles.clear)}
    >
      <Modal
        ref={modal}
        className={classNames(styles.modal, place && styles.anchored, place?.isAbove && styles.above)}
        style={place?.style ?? {}}
      >
        <Dialog aria-label={label} className={styles.dialog ?? ''}>
          <Autocomplete inputValue={text} onInputChange={onInput}>
            <SearchField aria-label={label} autoFocus className={styles.field ?? ''}>
              <Search size={16} aria-hidden="true" />
              <Input
                placeholder={placeholder}
                className={styles.input ?? ''}
                onKeyDown={({ key, currentTarget, nativeEvent }) => {
                  if (key !== 'Enter' || isComposing(nativeEvent)) return
                  if (!currentTarget.hasAttribute('aria-activedescendant')) onEnter()
                }}
              />
            </SearchField>
            {/* biome-ignore lint/a11y/noStaticElementInteractions: a press beside an entry leaves the focus in the field */}
            <div className={styles.list} onMouseDown={(event) => event.preventDefault()}>
              <Menu
                aria-label={label}
                className={styles.menu ?? ''}
                ref={makeReachable}
                onAction={onClose}
                renderEmptyState={() => <div className={styles.empty}>{empty}</div>}
              >
                {groups.map(({ id, title, entries }) => (
                  <MenuSection key={id} aria-label={title ?? label}>
                    {title && <Header className={styles.header ?? ''}>{title}</Header>}
                    {entries.map((entry) => (
                      <MenuItem
                        key={entry.id}
                        id={entry.id}
                        textValue={entry.label}
                        isDisabled={entry.isDisabled ?? false}
                        className={styles.item ?? ''}
                        {...(entry.href ? { href: entry.href } : {})}
                        {...(entry.onAction ? { onAction: entry.onAction } : {})}
                      >
                        {entry.icon}
                        <span className={styles.words}>
                          <span>{entry.label}</span>
                          {entry.detail && <span className={styles.detail}>{entry.detail}</span>}
                        </span>
                        {entry.keys && (
                          <kbd translate="no" className={styles.keys}>
                            {entry.keys}
                          </kbd>
                        )}
                      </MenuItem>
                    ))}
                  </MenuSection>
                ))}
              </Menu>
            </div>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/** The place of the popover as properties of its style; null: it is centered. It stays at its anchor in a resized window. */
function useAnchoredStyle(anchor: AnchorNow | null): { isAbove: boolean; style: CSSProperties } | null {
  const [place, setPlace] = useState(() => placeAt(anchor))
  useEffect(() => {
    let frame = 0
    const onResize = () => {
      cancelAnimationFrame(frame)
      // Media queries, which may move the anchor, are applied after the event.
      frame = requestAnimationFrame(() => setPlace(placeAt(anchor)))
    }
    window.addEventListener('resize', onResize)
    return () => {
      window.removeEventListener('resize', onResize)
      cancelAnimationFrame(frame)
    }
  }, [anchor])
  if (place === null) return null
  const { left, top, bottom, height } = place
  const style = {
    '--left': `${left}px`,
    '--top': top === null ? 'auto' : `${top}px`,
    '--bottom': bottom === null ? 'auto' : `${bottom}px`,
    '--most': `${height}px`,
  } as CSSProperties
  return { isAbove: bottom !== null, style }
}

function placeAt(anchor: AnchorNow | null) {
  return anchor && popoverPlace(anchor(), { width: innerWidth, height: innerHeight }, POPOVER)
}

/**
 * The menu itself scrolls, so that Page Down moves by its height, and a scroll container must be reachable by keyboard.
 * With an initial tab stop, the menu would be mistaken for one that takes the focus from the field.
 */
function makeReachable(menu: HTMLElement | null): void {
  if (menu === null) return
  queueMicrotask(() => {
    menu.tabIndex = 0
  })
}
