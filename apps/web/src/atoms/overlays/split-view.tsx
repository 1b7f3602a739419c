import { X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
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
  /** Above the hint: a picture of the options. */
  picture?: ReactNode
  /** `even` for details that are read rather than set: two fifths of the page. `whole`: the details take the place of the list. `below`: a
   * picture needs the width. */
  look?: 'usual' | 'even' | 'whole' | 'below'
}

/** A list with the details of one item beside it; in narrow windows the details are in a panel above the page. */
export function SplitView({ children, panel, hint, picture, look = 'usual' }: SplitViewProps) {
  const isSplit = useSettledSplit()
  return (
    <div className={classNames(styles.split, look !== 'usual' && styles[look])}>
      <div className={styles.main}>{children}</div>
      {isSplit ? (
        <aside
          className={styles.panel}
          aria-label={panel?.title ?? hint}
          // Details may be longer than the window and contain no focusable element.
          tabIndex={look === 'even' ? 0 : undefined}
        >
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
            <>
              {picture}
              <p className={styles.hint}>{hint}</p>
            </>
          )}
        </aside>
      ) : (
        panel?.onClose && (
          <SideSheet isOpen title={panel.title} onClose={panel.onClose}>
            <div data-split-panel className={styles.sheetPart}>
              {panel.content}
            </div>
          </SideSheet>
        )
      )}
    </div>
  )
}

/**
 * Whether the window is wide, as it was before a dialog opened: the panel moves between the page and a sheet, which
 * would remount a dialog of the panel and lose its input.
 */
function useSettledSplit(): boolean {
  const isSplit = useIsSplit()
  const [settled, setSettled] = useState(isSplit)
  useEffect(() => {
    if (settled === isSplit) return
    const look = () => {
      if (!isDialogOpen()) setSettled(isSplit)
    }
    look()
    // Dialogs are children of the body.
    const observer = new MutationObserver(look)
    observer.observe(document.body, { childList: true })
    return () => observer.disconnect()
  }, [isSplit, settled])
  return settled
}

/** Whether a dialog other than the sheet of a panel is open. */
function isDialogOpen(): boolean {
  const dialogs = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')]
  return dialogs.some((dialog) => dialog.querySelector('[data-split-panel]') === null)
}
