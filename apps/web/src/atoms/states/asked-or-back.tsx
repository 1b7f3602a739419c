import type { ReactNode } from 'react'
import { AskedPanel, type AskedPanelProps, type AskedState } from './asked-panel.tsx'
import { LoadFailure } from './panels.tsx'

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
  return <LoadFailure title={panel.failed} failure={failure} look="block" actions={back} />
}
