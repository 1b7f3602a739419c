import type { Permission } from '@troupe/contract'
import { shellWords } from '../../core/messages/en/shell.ts'
import { isOnline } from '../client/online.ts'
import { useValue } from '../preferences/use-value.ts'
import { useRefusal } from './use-refusal.ts'

/**
 * Props of a menu entry that the user may not use, or that can't be sent now: it is disabled and shows the reason. Empty if it is
 * usable.
 */
export function useEntryRefusal(needs: Permission): { isDisabled?: true; detail?: string } {
  const role = useRefusal(needs)
  const isConnected = useValue(isOnline)
  const refusal = role ?? (isConnected ? null : shellWords.nothingIsSent)
  return refusal === null ? {} : { isDisabled: true, detail: refusal }
}
