import { type AgentSettings, typedKeys } from '@troupe/contract'

/** The settings of a new agent. A setting that is missing here does not compile. */
const OF_NEW_AGENT: AgentSettings = { description: null }

/** The names of the settings. */
export const AGENT_SETTINGS = typedKeys(OF_NEW_AGENT)

/** The settings of an agent after a save: absent ones keep their values, or are those of a new agent. */
export function agentSettingsOf(
  given: Partial<AgentSettings>,
  before: AgentSettings = OF_NEW_AGENT,
): AgentSettings {
  return { description: given.description === undefined ? before.description : given.description }
}

/** The settings that differ from those of another agent; by default from those of a new one. */
export function differingSettings(
  agent: AgentSettings,
  other: AgentSettings = OF_NEW_AGENT,
): Partial<AgentSettings> {
  return Object.fromEntries(
    AGENT_SETTINGS.filter((name) => agent[name] !== other[name]).map((name) => [name, agent[name]]),
  )
}
