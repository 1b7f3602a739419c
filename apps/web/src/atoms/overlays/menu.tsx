import { Check, Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { Menu as AriaMenu, Header, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components'
import { atomWords } from '../../core/messages/en/atoms.ts'
import buttonStyles from '../controls/button.module.css'
import { Button } from '../controls/button.tsx'
import { classNames } from '../styles/class-names.ts'
import styles from './menu.module.css'

/** One line of a menu: an action or a link. */
export interface MenuEntry {
  id: string
  label: string
  detail?: string
  icon?: ReactNode
  /** As shown: `⌘K`. */
  keys?: string
  href?: string
  onAction?(): void
  isDisabled?: boolean
  isDanger?: boolean
  /** For entries of which one is in force. */
  isChecked?: boolean
}

/** Entries that belong together. */
export interface MenuGroup {
  id: string
  title?: string
  entries: readonly MenuEntry[]
}

export interface MenuProps {
  /** A button; without it, one with three dots. */
  trigger?: ReactNode
  label: string
  groups: readonly MenuGroup[]
  placement?: 'bottom start' | 'bottom end' | 'top start'
  /** Opens as soon as it is there; for menus that are made when their button is pressed. */
  isOpenAtFirst?: boolean
}

/** The button of a menu that is made when it is pressed: a long table has too many rows for a menu in each of them. */
export function MenuButton({ label, onPress }: { label: string; onPress(): void }) {
  return (
    <button
      type="button"
      className={classNames(buttonStyles.button, buttonStyles.quiet, buttonStyles.small, buttonStyles.icon)}
      aria-label={label}
      aria-haspopup="menu"
      onClick={onPress}
    >
      <Ellipsis size={16} />
    </button>
  )
}

/** Actions behind a button. */
export function ActionMenu({
  trigger,
  label,
  groups,
  placement = 'bottom end',
  isOpenAtFirst = false,
}: MenuProps) {
  return (
    <MenuTrigger defaultOpen={isOpenAtFirst}>
      {trigger ?? (
        <Button
          emphasis="quiet"
          size="small"
          icon={<Ellipsis size={16} />}
          aria-label={label}
          autoFocus={isOpenAtFirst}
        />
      )}
      <Popover className={styles.popover ?? ''} placement={placement} offset={4}>
        <AriaMenu aria-label={label} className={styles.menu ?? ''}>
          {groups.map((group) => (
            <MenuSection key={group.id} className={styles.section ?? ''} aria-label={group.title ?? label}>
              {group.title && <Header className={styles.title ?? ''}>{group.title}</Header>}
              {group.entries.map((entry) => (
                <MenuRow key={entry.id} entry={entry} />
              ))}
            </MenuSection>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}

function MenuRow({ entry }: { entry: MenuEntry }) {
  const {
    id,
    label,
    detail,
    icon,
    keys,
    href,
    onAction,
    isDisabled = false,
    isDanger = false,
    isChecked,
  } = entry
  return (
    <MenuItem
      id={id}
      textValue={label}
      isDisabled={isDisabled}
      className={classNames(styles.item, isDanger && styles.danger)}
      {...(href ? { href } : {})}
      {...(onAction ? { onAction } : {})}
    >
      {icon}
      <div className={styles.words}>
        <span>{label}</span>
        {detail && <div className={styles.detail}>{detail}</div>}
      </div>
      {isChecked && <Check size={14} aria-label={atomWords.chosen} />}
      {keys && <kbd className={styles.keys}>{keys}</kbd>}
    </MenuItem>
  )
}
