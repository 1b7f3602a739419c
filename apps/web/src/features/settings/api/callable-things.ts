import type { CallKind } from '../../../core/snippets/run-snippets.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'

/** Something that callers can run. */
export interface CallableThing {
  id: string
  label: string
  /** False: callers are refused, because it is archived or not published. */
  isCallable: boolean
}

const query = { limit: 100, sort: 'name' } as const

/** The first 100 things of each kind. Each is a hook, so a component keeps to one kind. */
export const CALLABLE: Readonly<Record<CallKind, () => readonly CallableThing[]>> = {
  agent: () => {
    const { data } = useOperation('listAgents', { query }).data ?? { data: [] }
    return data.map(({ agentId, name, status }) => ({
      id: agentId,
      label: name,
      isCallable: status !== 'archived',
    }))
  },
  team: () => {
    const { data } = useOperation('listTeams', { query }).data ?? { data: [] }
    return data.map(({ teamId, name }) => ({ id: teamId, label: name, isCallable: true }))
  },
  workflow: () => {
    const { data } = useOperation('listWorkflows', { query }).data ?? { data: [] }
    return data.map(({ workflowId, name, publishedNumber }) => ({
      id: workflowId,
      label: name,
      isCallable: publishedNumber !== null,
    }))
  },
}
