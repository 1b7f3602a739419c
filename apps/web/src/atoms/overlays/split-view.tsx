import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { atomWords as words } from '../../core/messages/en/atoms.ts'
import { Button } from '../controls/button.tsx'
import { classNames } from '../styles/class-names.ts'
import { SideSheet } from './dialog.tsx'
import styles from './split-view.module.css'
import { useIsSplit } from './use-is-split.ts'

export interface SplitViewProps {
  children: ReactNode
  /** Details of the selected item; null: no selection. */
  panel: {
    title: string
    content: ReactNode /** null: it stays open. */
    onClose: (() => void) | null
  } | null
  /** Explains the selection, in place of the panel. */
  hint: string
  /** `even` for details that are read rather than set: two fifths of the page. `whole`: the details take the place of the list. */
  look?: 'usual' | 'even' | 'whole'
}

/** A list with the details of one thing beside it; on narrow windows the details come in a panel above the page. */
export function SplitView({ children, panel, hint, look = 'usual' }: SplitViewProps) {
  const isSplit = useIsSplit()
  return (
    <div className={classNames(styles.split, look !== 'usual' && styles[look])}>
      <div className={styles.main}>{children}</div>
      {isSplit ? (
        <aside className={styles.panel} aria-label={panel?.title ?? hint}>
          {panel ? (
            <>
              <header className={styles.head}>
                <h2>{panel.title}</h2>
                {panel.onClose && (
                  <Button
                    emphasis="quiet"
                    size="small"
                    icon={<X size={16} />}
                    aria-label={words.close}
                    onPress={panel.onClose}
                  />
                )}
              </header>
              {panel.content}
            </>
          ) : (
            <p className={styles.hint}>{hint}</p>
          )}
        </aside>
      ) : (
        panel?.onClose && (
          <SideSheet isOpen title={panel.title} onClose={panel.onClose}>
            {panel.content}
          </SideSheet>
        )
      )}
    </div>
  )
}
