import type { Permission } from '@troupe/contract'
import { useRefusal } from './use-refusal.ts'

/** Properties of a menu's entry that the person may not use: it is disabled and says who may. Empty when they may. */
export function useEntryRefusal(needs: Permission): { isDisabled?: true; detail?: string } {
  const refusal = useRefusal(needs)
  return refusal === null ? {} : { isDisabled: true, detail: refusal }
}
