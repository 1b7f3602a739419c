import type { ReactNode } from 'react'
import { AskedPanel, type AskedPanelProps, type AskedState } from './asked-panel.tsx'
import { ErrorPanel } from './panels.tsx'

export interface AskedOrBackProps<T> extends AskedPanelProps<T> {
  asked: AskedState<T> & { failure: { code?: string } | null }
  /** The link back if the resource does not exist. */
  back: ReactNode
}

/**
 * {@link AskedPanel} for the resource named by a URL: if it does not exist, *Retry* cannot help, and the way back is
 * offered.
 */
export function AskedOrBack<T>({ back, ...panel }: AskedOrBackProps<T>) {
  const { data, failure } = panel.asked
  if (data !== undefined || failure?.code?.endsWith('not_found') !== true) return <AskedPanel {...panel} />
  return (
    <ErrorPanel title={panel.failed} message={failure.message} requestId={failure.requestId} actions={back} />
  )
}
