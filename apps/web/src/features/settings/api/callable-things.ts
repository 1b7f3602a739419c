import type { CalledThing } from '../../../core/snippets/called-thing.ts'
import { AGENTS, TEAMS, WORKFLOWS } from '../../../parts/pickers/searched-lists.ts'
import { type Choices, useChoices } from '../../../parts/pickers/use-choices.ts'

/** A resource that callers can run. */
export interface CallableThing {
  id: string
  label: string
  /** False: callers are refused, because it is archived or not published. */
  isCallable: boolean
}

/** The matches of the typed text, and the resource of the URL. */
export interface CallableThings extends Pick<Choices<CallableThing>, 'found' | 'onType' | 'isSearching'> {
  chosen: CallableThing | undefined
}

function callable<Thing>(choices: Choices<Thing>, id: string | null, read: (thing: Thing) => CallableThing) {
  const thing = id === null ? undefined : choices.thing(id)
  const { found, onType, isSearching } = choices
  return { found: found.map(read), onType, isSearching, chosen: thing && read(thing) }
}

const idsOf = (id: string | null) => (id === null ? [] : [id])

/** The resources of each kind. Each is a hook, so a component keeps to one kind. */
export const CALLABLE: Readonly<Record<CalledThing['kind'], (id: string | null) => CallableThings>> = {
  agent: (id) =>
    callable(useChoices(AGENTS, idsOf(id)), id, ({ agentId, name, status }) => ({
      id: agentId,
      label: name,
      isCallable: status !== 'archived',
    })),
  team: (id) =>
    callable(useChoices(TEAMS, idsOf(id)), id, ({ teamId, name }) => ({
      id: teamId,
      label: name,
      isCallable: true,
    })),
  workflow: (id) =>
    callable(useChoices(WORKFLOWS, idsOf(id)), id, ({ workflowId, name, publishedNumber }) => ({
      id: workflowId,
      label: name,
      isCallable: publishedNumber !== null,
    })),
}
