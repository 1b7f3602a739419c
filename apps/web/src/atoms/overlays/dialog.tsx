import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { atomWords as words } from '../../core/messages/en/atoms.ts'
import { Button } from '../controls/button.tsx'
import { CommandEnter } from '../keys/command-enter.tsx'
import { classNames } from '../styles/class-names.ts'
import styles from './dialog.module.css'
import { useOutsidePress } from './use-outside-press.ts'

export interface DialogProps {
  isOpen: boolean
  /** Called by Escape, the cross and a press beside the dialog. */
  onClose(): void
  title: string
  children?: ReactNode
  /** Buttons, the primary one last: `⌘Enter` presses it. */
  actions?: ReactNode
  width?: 'normal' | 'wide'
  /** `alertdialog` for irreversible actions. */
  role?: 'dialog' | 'alertdialog'
  /** False if a decision is required; Escape and the cross still close it. */
  isDismissable?: boolean
  /** Nothing closes it while its response is pending, which is shown only here. */
  isHeld?: boolean
}

/** A question or a short form above the page. The focus stays inside and returns to where it was. */
export function Dialog(props: DialogProps) {
  const { isOpen, onClose, width = 'normal', isDismissable = true, isHeld = false, ...parts } = props
  const isMeant = useOutsidePress(isOpen)
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => open || onClose()}
      isDismissable={isDismissable && !isHeld}
      shouldCloseOnInteractOutside={isMeant}
      isKeyboardDismissDisabled={isHeld}
      className={styles.scrim ?? ''}
    >
      <Modal className={classNames(styles.modal, width === 'wide' && styles.wide)}>
        <DialogParts {...parts} isHeld={isHeld} onClose={onClose} />
      </Modal>
    </ModalOverlay>
  )
}

export type SheetProps = Omit<DialogProps, 'width' | 'role' | 'isHeld'>

/** A side panel for the details of one item of a list; the whole width on a phone. */
export function SideSheet({ isOpen, onClose, isDismissable = true, ...parts }: SheetProps) {
  const isMeant = useOutsidePress(isOpen)
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => open || onClose()}
      isDismissable={isDismissable}
      shouldCloseOnInteractOutside={isMeant}
      className={styles.side ?? ''}
    >
      <Modal className={styles.sheet ?? ''}>
        <DialogParts {...parts} onClose={onClose} />
      </Modal>
    </ModalOverlay>
  )
}

export interface DialogActionsProps {
  /** Why the primary button is disabled: it may lie outside the window. null: it is not. */
  missing?: string | null
  /** Without it, the buttons include one that closes. */
  onCancel?(): void
  children: ReactNode
}

/** The buttons of a form inside of a dialog: Cancel, and the primary one last. */
export function DialogActions({ missing = null, onCancel, children }: DialogActionsProps) {
  return (
    <div className={styles.actions}>
      {missing !== null && (
        <span role="status" className={styles.missing}>
          {missing}
        </span>
      )}
      {onCancel && (
        <Button emphasis="quiet" onPress={onCancel}>
          {words.cancel}
        </Button>
      )}
      {children}
    </div>
  )
}

type PartsProps = Pick<DialogProps, 'title' | 'children' | 'actions' | 'role' | 'onClose' | 'isHeld'>

function DialogParts({ title, children, actions, role = 'dialog', onClose, isHeld = false }: PartsProps) {
  const foot = useRef<HTMLElement>(null)
  const parts = (
    <AriaDialog role={role} className={styles.dialog ?? ''}>
      <header className={styles.head}>
        <Heading slot="title" className={styles.title ?? ''}>
          {title}
        </Heading>
        <Button
          emphasis="quiet"
          size="small"
          icon={<X size={16} />}
          aria-label={words.close}
          isDisabled={isHeld}
          onPress={onClose}
        />
      </header>
      {children && <div className={styles.body}>{children}</div>}
      {actions && (
        <footer ref={foot} className={styles.foot}>
          {actions}
        </footer>
      )}
    </AriaDialog>
  )
  if (!actions) return parts
  // A form inside of a dialog has its own buttons, and sends itself.
  return (
    <CommandEnter
      onEnter={() => foot.current?.querySelector<HTMLElement>(':scope > button:last-of-type')?.click()}
    >
      {parts}
    </CommandEnter>
  )
}
