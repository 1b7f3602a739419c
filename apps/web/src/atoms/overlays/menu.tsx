import { Check, Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { Menu as AriaMenu, Header, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components'
import { atomWords } from '../../core/messages/en/atoms.ts'
import buttonStyles from '../controls/button.module.css'
import { Button } from '../controls/button.tsx'
import { useSendingRefusal } from '../states/sending-refusal.ts'
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
  /** The action sends a request: if it can't be sent, the entry is disabled and shows the reason. */
  sends?: boolean
  isDisabled?: boolean
  isDanger?: boolean
  /** For a group in which one entry is active. */
  isChecked?: boolean
}

/** Entries that belong together. */
export interface MenuGroup {
  id: string
  title?: string
  entries: readonly MenuEntry[]
}

/** The entries of a menu, in several groups or in one. */
type MenuContent =
  | { groups: readonly MenuGroup[]; entries?: undefined }
  | { groups?: undefined; entries: readonly MenuEntry[] }

export type MenuProps = MenuContent & {
  /** A button; without it, one with three dots. */
  trigger?: ReactNode
  label: string
  placement?: 'bottom start' | 'bottom end' | 'top start'
  /** Opens when mounted; for menus that are created by the press of their button. */
  isOpenAtFirst?: boolean
}

/** The button of a menu that is created on the first press: a long table has too many rows for a menu in each of them. */
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
  entries = [],
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
          {(groups ?? [{ id: 'entries', title: undefined, entries }]).map((group) => (
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
    sends = false,
    isDisabled = false,
    isDanger = false,
    isChecked,
  } = entry
  const offline = useSendingRefusal()
  const refusal = sends && !isDisabled ? offline : null
  const said = refusal ?? detail
  return (
    <MenuItem
      id={id}
      textValue={label}
      isDisabled={isDisabled || refusal !== null}
      className={classNames(styles.item, isDanger && styles.danger)}
      {...(href ? { href } : {})}
      {...(onAction ? { onAction } : {})}
    >
      {icon}
      <div className={styles.words}>
        <span>{label}</span>
        {said && <div className={styles.detail}>{said}</div>}
      </div>
      {isChecked && <Check size={14} aria-label={atomWords.chosen} />}
      {keys && (
        <kbd translate="no" className={styles.keys}>
          {keys}
        </kbd>
      )}
    </MenuItem>
  )
}
