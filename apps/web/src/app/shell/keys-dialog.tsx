import { Fragment } from 'react'
import { Toggle } from '../../atoms/controls/toggles.tsx'
import { Dialog } from '../../atoms/overlays/dialog.tsx'
import { keyListWords } from '../../core/messages/en/keys.ts'
import { shellWords } from '../../core/messages/en/shell.ts'
import { isMac, shownKeys } from '../../infrastructure/keys/key-map.ts'
import { useKeyBindings } from '../../infrastructure/keys/use-keys.ts'
import { letterKeys } from '../../infrastructure/preferences/preferences.ts'
import { useValue } from '../../infrastructure/preferences/use-value.ts'
import styles from './shell.module.css'
import { SEARCH_FIELD } from './use-shell-keys.ts'

const { rowKeys } = keyListWords
/** Keys of a table while one of its rows has the focus; elsewhere J and K move along the first table of the page. */
const ROW_KEYS = [
  { keys: '↑ ↓ j k', label: rowKeys.move },
  { keys: 'enter', label: rowKeys.open },
  { keys: 'space', label: rowKeys.peek },
  { keys: 'x', label: rowKeys.choose },
] as const

/** The keys of the page, of its lists, and the switch for those of one letter. */
export function KeysDialog({ onClose }: { onClose(): void }) {
  const bindings = useKeyBindings()
  const letters = useValue(letterKeys)
  const hasSearch = document.querySelector(SEARCH_FIELD) !== null
  return (
    <Dialog isOpen onClose={onClose} title={shellWords.keys}>
      <Toggle
        isSelected={letters === 'on'}
        onChange={(isOn) => letterKeys.set(isOn ? 'on' : 'off')}
        description={keyListWords.letterKeysDetail(shownKeys('mod+k', isMac))}
      >
        {keyListWords.letterKeys}
      </Toggle>
      <div className={styles.keyList}>
        {bindings
          .filter(({ keys, isUnlisted = false }) => (keys !== '/' || hasSearch) && !isUnlisted)
          .map(({ keys, label }) => (
            <Fragment key={`${keys} ${label}`}>
              <span>{label}</span>
              <kbd translate="no" className={styles.kbd}>
                {shownKeys(keys, isMac)}
              </kbd>
            </Fragment>
          ))}
        <h3 className={styles.keyTitle}>{rowKeys.title}</h3>
        {ROW_KEYS.map(({ keys, label }) => (
          <Fragment key={keys}>
            <span>{label}</span>
            <kbd translate="no" className={styles.kbd}>
              {shownKeys(keys, isMac)}
            </kbd>
          </Fragment>
        ))}
      </div>
    </Dialog>
  )
}
