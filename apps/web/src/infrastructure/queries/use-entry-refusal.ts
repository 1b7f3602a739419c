import type { Permission } from '@troupe/contract'
import { shellWords } from '../../core/messages/en/shell.ts'
import { isOnline } from '../client/online.ts'
import { useValue } from '../preferences/use-value.ts'
import { useRefusal } from './use-refusal.ts'

/** Properties of a menu's entry that the person may not use, or that cannot be sent now: it is disabled and says why. Empty when it can be used. */
export function useEntryRefusal(needs: Permission): { isDisabled?: true; detail?: string } {
  const role = useRefusal(needs)
  const isConnected = useValue(isOnline)
  const refusal = role ?? (isConnected ? null : shellWords.nothingIsSent)
  return refusal === null ? {} : { isDisabled: true, detail: refusal }
}
