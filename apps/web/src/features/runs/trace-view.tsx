import type { ReactNode } from 'react'
import { SplitView } from '../../atoms/overlays/split-view.tsx'
import { useIsSplit } from '../../atoms/overlays/use-is-split.ts'
import { runWords } from '../../core/messages/en/runs.ts'
import { useKeys } from '../../infrastructure/keys/use-keys.ts'

interface TraceViewProps {
  /** The steps. */
  children: ReactNode
  /** The run itself: its input, its output. Shown while no step is open, and above the steps where there is no room beside them. */
  root: ReactNode
  opened: { title: string; content: ReactNode; onClose(): void } | null
}

/** The steps of a run with a permanent inspector beside them; on narrow windows a step opens above the page. */
export function TraceView({ children, root, opened }: TraceViewProps) {
  const isSplit = useIsSplit()
  useKeys(
    opened && isSplit
      ? [{ keys: 'escape', label: runWords.closeStep, isUnlisted: true, run: opened.onClose }]
      : [],
  )
  const whole = { title: runWords.whole, content: root, onClose: null }
  return (
    <SplitView look="even" hint={runWords.whole} panel={opened ?? (isSplit ? whole : null)}>
      {!isSplit && root}
      {children}
    </SplitView>
  )
}
