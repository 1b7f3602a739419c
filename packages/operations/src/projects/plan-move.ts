import type { ProjectId } from '@troupe/contract'
import type { MovableKind } from '@troupe/contract/builder'
import type { OwnedThingRow, SlugUseRow, UseRow } from '@troupe/storage'
import { maySpeakOn } from '@troupe/voice'
import { mayUse } from '../workflows/look-up-resources.ts'

/** The facts about a planned move. */
interface AskedMove {
  things: readonly OwnedThingRow[]
  /** null: the organization level. */
  target: ProjectId | null
  nameOf(projectId: ProjectId | null): string | null
  uses: readonly UseRow[]
  slugUses: readonly SlugUseRow[]
  /** Every skill that has one of the slugs. */
  skills: readonly OwnedThingRow[]
}

/** A kind of resource that uses others. */
type UserKind = Extract<
  MovableKind,
  'agent' | 'team' | 'workflow' | 'knowledge_base' | 'mcp_server' | 'phone_trunk'
>
type User = OwnedThingRow & { kind: UserKind }

/** A resource to move with its users, those that prevent the move first. */
export interface PlannedMove {
  thing: OwnedThingRow
  usedBy: User[]
  /** Sentences with the resource as the subject; empty if it can be moved. */
  problems: string[]
}

/** Maximum users or used resources listed for a resource; a last sentence counts the others. */
const MAX_PROBLEMS = 10

/** Decides whether each resource can be moved. Resources that are moved together may use each other. */
export function planMove(move: AskedMove): PlannedMove[] {
  const { things, target } = move
  const keyOf = ({ kind, id }: { kind: MovableKind; id: string }) => `${kind} ${id}`
  const moving = new Set(things.map(keyOf))
  const after = <T extends { kind: MovableKind; id: string; projectId: ProjectId | null }>(row: T) =>
    moving.has(keyOf(row)) ? target : row.projectId
  const quoted = (row: OwnedThingRow) => {
    const project = after(row)
    const place = project === null ? 'the organization' : `the project “${move.nameOf(project)}”`
    return `the ${NOUNS[row.kind]} “${row.name}” of ${place}`
  }
  const users = new Map<string, { usedBy: User[]; blocking: User[] }>()
  const problems = new Map<string, string[]>(things.map((thing) => [keyOf(thing), []]))
  const add = (thing: { kind: MovableKind; id: string }, problem: string) =>
    problems.get(keyOf(thing))?.push(problem)
  for (const { user, used } of move.uses) {
    if (!isUser(user)) continue
    const isAllowed = fits(user, after(user), used, after(used))
    if (moving.has(keyOf(used))) {
      const of = users.get(keyOf(used)) ?? { usedBy: [], blocking: [] }
      users.set(keyOf(used), of)
      ;(isAllowed ? of.usedBy : of.blocking).push(user)
      if (!isAllowed) add(used, `is used by ${quoted(user)}`)
    } else if (!isAllowed) add(user, `uses ${quoted(used)}`)
  }
  for (const { name, slug, projectId, agentId } of move.slugUses) {
    const agent = { kind: 'agent', id: agentId, name, projectId } as const
    const before = skillOf(move.skills, slug, projectId, ({ projectId: of }) => of)
    const next = skillOf(move.skills, slug, after(agent), after)
    if (!before) continue
    if (moving.has(keyOf(before))) {
      const of = users.get(keyOf(before)) ?? { usedBy: [], blocking: [] }
      users.set(keyOf(before), of)
      ;(next?.id === before.id ? of.usedBy : of.blocking).push(agent)
    }
    if (next?.id === before.id) continue
    const thing = moving.has(keyOf(before)) ? before : agent
    add(
      thing,
      thing === before
        ? `is named by its slug in ${quoted(agent)}, which would ${next ? 'get another skill' : 'lose it'}`
        : `names the skill “${slug}” by its slug, which would ${next ? 'be another one there' : 'not be found there'}`,
    )
  }
  for (const thing of takenSlugs(things, move.skills, after)) {
    add(thing, 'has the name of an existing skill there')
  }
  return things.map((thing) => {
    const found = problems.get(keyOf(thing)) ?? []
    const more = found.length - MAX_PROBLEMS
    const { usedBy = [], blocking = [] } = users.get(keyOf(thing)) ?? {}
    return {
      thing,
      usedBy: [...blocking, ...usedBy],
      problems: more > 0 ? [...found.slice(0, MAX_PROBLEMS), `has ${more} more such connections`] : found,
    }
  })
}

const NOUNS: Readonly<Record<MovableKind, string>> = {
  agent: 'agent',
  team: 'team',
  workflow: 'workflow',
  knowledge_base: 'knowledge base',
  skill: 'skill',
  llm_configuration: 'LLM configuration',
  credential: 'credential',
  mcp_server: 'MCP server',
  phone_trunk: 'phone trunk',
}

const USER_KINDS: ReadonlySet<MovableKind> = new Set<UserKind>([
  'agent',
  'team',
  'workflow',
  'knowledge_base',
  'mcp_server',
  'phone_trunk',
])

function isUser(row: OwnedThingRow): row is User {
  return USER_KINDS.has(row.kind)
}

function fits(
  user: { kind: MovableKind },
  ofUser: ProjectId | null,
  used: { kind: MovableKind },
  ofUsed: ProjectId | null,
): boolean {
  return user.kind === 'phone_trunk' && used.kind === 'agent'
    ? maySpeakOn({ projectId: ofUser }, { projectId: ofUsed })
    : mayUse(ofUser, ofUsed)
}

/** The skill that a slug means for an agent: that of its project before that of the organization. */
function skillOf(
  skills: readonly OwnedThingRow[],
  slug: string,
  agentProject: ProjectId | null,
  projectOf: (skill: OwnedThingRow) => ProjectId | null,
): OwnedThingRow | undefined {
  const named = skills.filter(({ name }) => name === slug)
  return (
    named.find((skill) => agentProject !== null && projectOf(skill) === agentProject) ??
    named.find((skill) => projectOf(skill) === null)
  )
}

/** Skills whose slug belongs to another skill after the move. */
function takenSlugs(
  things: readonly OwnedThingRow[],
  skills: readonly OwnedThingRow[],
  after: (skill: OwnedThingRow) => ProjectId | null,
): OwnedThingRow[] {
  return things.filter(
    (thing) =>
      thing.kind === 'skill' &&
      skills.some(
        (other) => other.id !== thing.id && other.name === thing.name && after(other) === after(thing),
      ),
  )
}
