import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import type { ShownUser } from './used-by.tsx'

/** The uses of each of the given knowledge bases or skills, at most 100 of them; null: not loaded (yet). */
export function useResourceUsers(
  kind: 'knowledge_base' | 'skill',
  ids: readonly string[],
): (id: string) => readonly ShownUser[] | null {
  const asked = useOperation(
    'listResourceUsers',
    { query: { kind, ids: ids.slice(0, 100).join(',') } },
    { isEnabled: ids.length > 0 },
  )
  const users = asked.isFormer ? undefined : asked.data?.data
  return (id) => users?.filter((user) => user.of === id) ?? null
}
