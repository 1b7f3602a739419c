import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
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
}

/** One field that finds every page, item and action. The focus stays in the field; arrows and Enter choose. */
export function CommandPalette(props: CommandPaletteProps) {
  const { isOpen, onClose, label, placeholder, text, onText, onEnter, groups, empty } = props
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => open || onClose()}
      isDismissable
      className={styles.scrim ?? ''}
    >
      <Modal className={styles.modal ?? ''}>
        <Dialog aria-label={label} className={styles.dialog ?? ''}>
          <Autocomplete inputValue={text} onInputChange={onText}>
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

/**
 * The menu itself scrolls, so that Page Down moves by its height, and what scrolls must be reachable by keyboard. A menu with a tab stop
 * from the beginning would be taken for one that takes the focus from the field.
 */
function makeReachable(menu: HTMLElement | null): void {
  if (menu === null) return
  queueMicrotask(() => {
    menu.tabIndex = 0
  })
}
