import { propertyOf } from '@troupe/contract'
import { starterWords as words } from '../messages/en/parts/playground.ts'
import { isTeamConfig } from '../teams/team-config.ts'

/** A first message that an empty conversation offers. */
export interface Starter {
  label: string
  text: string
  /** The message is complete and sent at once; false: the user completes it in the composer. */
  isWhole: boolean
}

const MOST = 4
const LONGEST_NAME = 40

/**
 * First messages for an agent or a team, at most four. They ask for its documents, tools or members, so that the first answer shows them at work.
 *
 * @param config of the agent or the team, also of an edit that is not valid yet
 * @param names of a team's agents by their ids
 */
export function starters(config: object, names: Readonly<Record<string, string>>): Starter[] {
  const own = isTeamConfig(config) ? ofTeam(config, names) : ofAgent(config)
  const found = [whole(words.general), ...own]
  if (own.length === 0) found.push(whole(words.introduce))
  // Two tools of an edit may have the same name, and so may two agents.
  return [...new Map(found.map((starter) => [starter.text, starter])).values()].slice(0, MOST)
}

const whole = (text: string): Starter => ({ label: text, text, isWhole: true })
const begun = (text: string): Starter => ({
  label: `${text.replace(/:$/, '')}…`,
  text: `${text} `,
  isWhole: false,
})

function ofAgent(config: object): Starter[] {
  const bases = propertyOf(propertyOf(config, 'knowledge'), 'base_ids')
  const tools = propertyOf(config, 'tools')
  return [
    ...(Array.isArray(bases) && bases.length > 0 ? [whole(words.documents)] : []),
    ...(Array.isArray(tools) ? tools.flatMap(ofTool) : []),
  ]
}

function ofTool(tool: unknown): Starter[] {
  const builtin = propertyOf(tool, 'builtin')
  if (propertyOf(tool, 'type') === 'builtin' && typeof builtin === 'string')
    return Object.hasOwn(words.builtins, builtin)
      ? [builtinStarter(words.builtins[builtin as keyof typeof words.builtins])]
      : []
  // A server and an API represent tools whose names are not in the configuration.
  const type = propertyOf(tool, 'type')
  if (type === 'mcp' || type === 'openapi') return []
  const name = propertyOf(tool, 'name')
  const spoken = typeof name === 'string' && name.length <= LONGEST_NAME ? spokenName(name) : ''
  return spoken === '' ? [] : [begun(spoken)]
}

const builtinStarter = (text: string) => (text.endsWith('…') ? begun(text.slice(0, -1)) : whole(text))

/** `look_up_order` as spoken words: "Look up order". */
function spokenName(name: string): string {
  const text = name.replaceAll(/[_-]+/g, ' ').trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function ofTeam(
  { mode, members }: { mode: string; members: readonly { agent: string }[] },
  names: Readonly<Record<string, string>>,
): Starter[] {
  if (mode === 'parallel') return [begun(words.parallel)]
  if (mode === 'plan-execute') return [begun(words.plan)]
  return members.flatMap(({ agent }) => {
    const name = Object.hasOwn(names, agent) ? names[agent] : undefined
    return !name || name.length > LONGEST_NAME ? [] : [begun(words.forMember(name))]
  })
}
