import { Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import { DropZone, FileTrigger, isFileDropItem } from 'react-aria-components'
import { Button } from './button.tsx'
import styles from './file-drop.module.css'
import { filesOfDrop } from './files-of-drop.ts'

export interface FileDropProps {
  /** What can be dropped: "Drop files here". */
  label: string
  /** Which files, and what happens to them. */
  detail: ReactNode
  /** The button that opens the browser's own dialog. */
  choose: string
  /** Called with one or more files. */
  onFiles(files: File[]): void
  /** Names' endings or media types: `.pdf`. Files that are dropped are not checked. */
  accepts?: readonly string[]
  isMultiple?: boolean
  isDisabled?: boolean
  /** More ways to add something, beside the button. */
  actions?: ReactNode
}

/** A place to drop files on, with a button for who has no mouse. Folders that are dropped give the files in them. */
export function FileDrop(props: FileDropProps) {
  const { label, detail, choose, onFiles, accepts, isMultiple = true, isDisabled = false, actions } = props
  const give = (files: File[]) => {
    const given = isMultiple ? files : files.slice(0, 1)
    if (given.length > 0) onFiles(given)
  }
  return (
    <DropZone
      aria-label={label}
      isDisabled={isDisabled}
      className={styles.zone ?? ''}
      getDropOperation={(_, allowed) => (!isDisabled && allowed.includes('copy') ? 'copy' : 'cancel')}
      onDrop={async ({ items }) => give(await filesOfDrop(items, isFileDropItem))}
    >
      <Upload size={18} aria-hidden="true" />
      <div className={styles.words}>
        <strong>{label}</strong>
        <span className={styles.detail}>{detail}</span>
      </div>
      <div className={styles.actions}>
        <FileTrigger
          allowsMultiple={isMultiple}
          {...(accepts ? { acceptedFileTypes: accepts } : {})}
          onSelect={(files) => files && give([...files])}
        >
          <Button isDisabled={isDisabled}>{choose}</Button>
        </FileTrigger>
        {actions}
      </div>
    </DropZone>
  )
}
