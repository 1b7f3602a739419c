import { Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import { FileTrigger } from 'react-aria-components'
import { Button } from './button.tsx'

export interface FileButtonProps {
  /** Extensions and media types, by comma. */
  accept: string
  onChoose(file: File): void
  children: ReactNode
}

/** Lets a person choose one file. */
export function FileButton({ accept, onChoose, children }: FileButtonProps) {
  return (
    <FileTrigger
      acceptedFileTypes={accept.split(',')}
      onSelect={(files) => {
        const file = files?.item(0)
        if (file) onChoose(file)
      }}
    >
      <Button size="small" icon={<Upload size={14} />}>
        {children}
      </Button>
    </FileTrigger>
  )
}
