import type { KeyboardEvent, ReactNode } from 'react'
import { isComposing } from '../../core/keys/is-composing.ts'

/** `⌘Enter` anywhere inside triggers the button of the form, including in a code editor. */
export function CommandEnter({ onEnter, children }: { onEnter(): void; children: ReactNode }) {
  const onKeyDownCapture = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || isComposing(event.nativeEvent)) return
    event.preventDefault()
    event.stopPropagation()
    onEnter()
  }
  return (
    <div style={{ display: 'contents' }} onKeyDownCapture={onKeyDownCapture}>
      {children}
    </div>
  )
}
