import { Search } from 'lucide-react'
import { BareButton } from '../../atoms/controls/bare-button.tsx'
import { Button } from '../../atoms/controls/button.tsx'
import { shellWords } from '../../core/messages/en/shell.ts'
import { isMac, shownKeys } from '../../infrastructure/keys/key-map.ts'
import styles from './shell.module.css'

/** Opens the palette, in the navigation. */
export function SearchButton({ onPress }: { onPress(): void }) {
  return (
    <BareButton className={styles.search} onPress={onPress}>
      <Search size={14} />
      <span>{shellWords.search}</span>
      <kbd translate="no" className={styles.kbd}>
        {shownKeys('mod+k', isMac)}
      </kbd>
    </BareButton>
  )
}

/** Opens the palette, in the bar of a phone. */
export function SearchIcon({ onPress }: { onPress(): void }) {
  return (
    <Button emphasis="quiet" icon={<Search size={18} />} aria-label={shellWords.search} onPress={onPress} />
  )
}
