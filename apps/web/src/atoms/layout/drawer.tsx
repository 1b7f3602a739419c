import type { ReactNode } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { atomWords as words } from '../../core/messages/en/atoms.ts'
import styles from './frame.module.css'

/** The navigation of a phone, above the page. */
export function Drawer({ onClose, children }: { onClose(): void; children: ReactNode }) {
  return (
    <ModalOverlay
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      isDismissable
      className={styles.drawerScrim ?? ''}
    >
      <Modal className={styles.drawer ?? ''}>
        <Dialog aria-label={words.menu} style={{ height: '100%', outline: 'none' }}>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
