import { defaultConfiguration } from '@troupe/agents'
import { DomainError, type FieldError, type OrganizationId, type ProjectId, roleHas } from '@troupe/contract'
import {
  MAX_NAMED_USERS,
  MOVABLE_KINDS,
  type MovableKind,
  type MovedThing,
  type MoveResult,
  type MoveThingsBody,
} from '@troupe/contract/builder'
import type {
  Database,
  LlmConfigurationRecord,
  OwnedThingRow,
  Readers,
  ThingToMove,
  Transaction,
} from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { projectNotFound } from '../access/require-project.ts'
import type { ConfigChanges } from '../catalog/config-changes.ts'
import { askedProject } from '../changes/asked-project.ts'
import { mayUse } from '../workflows/look-up-resources.ts'
import { type PlannedMove, planMove } from './plan-move.ts'

/** Dependencies of the operation. */
export interface MoveThingsParts {
  database: Pick<Database, 'transaction'>
  configChanges: ConfigChanges
}

/**
 * Moves resources to a project or to the organization level, all or none of them. Afterwards, no resource may use one
 * of another project. Every save of a reference to agents, teams, LLM configurations, credentials or MCP servers holds
 * or locks the organization; bases and skills are locked as their deletion locks them. So no reference is saved between
 * the check and the move.
 *
 * @throws DomainError `forbidden` for a kind that the caller may not change, `validation_error` naming missing
 * resources, or `project_not_found`
 */
export async function moveThings(
  { database, configChanges }: MoveThingsParts,
  caller: BuilderCaller,
  { projectId: wanted, things: asked, preview = false }: MoveThingsBody,
): Promise<MoveResult> {
  requirePermissions(caller, asked)
  const { organizationId } = caller
  const things = distinct(asked)
  const result = await database.transaction(async (tx) => {
    await tx.write.organizations.lock(organizationId)
    const target = await askedProject(tx.read, organizationId, wanted)
    if (!preview && target !== null && !(await tx.write.projects.lock(organizationId, target))) {
      throw projectNotFound()
    }
    if (!preview) await holdThings(tx, organizationId, things)
    const planned = await plan(tx.read, organizationId, things, target)
    const isMoved = !preview && planned.moves.every(({ problems }) => problems.length === 0)
    if (isMoved) await move(tx, caller, planned)
    return {
      isMoved,
      things: planned.moves.map((one) => shown(one, planned.nameOf)),
      notices: planned.notices,
    }
  })
  if (result.isMoved) configChanges.committed(organizationId)
  return result
}

function requirePermissions({ role }: BuilderCaller, things: readonly { kind: MovableKind }[]): void {
  const missing = things.find(({ kind }) => !roleHas(role, MOVABLE_KINDS[kind]))
  if (!missing) return
  const needed = MOVABLE_KINDS[missing.kind]
  throw new DomainError(
    'forbidden',
    `Moving ${PLURALS[missing.kind]} needs the permission "${needed}", which the role ${role} lacks.`,
  )
}

function distinct(things: readonly ThingToMove[]): ThingToMove[] {
  const byId = new Map(
    things.map(({ kind, id }) => [`${kind} ${id.toLowerCase()}`, { kind, id: id.toLowerCase() }]),
  )
  return [...byId.values()]
}

/** Saves of agents hold the bases and skills that they name, so these locks wait for them. */
async function holdThings(
  { write }: Transaction,
  organizationId: OrganizationId,
  things: readonly ThingToMove[],
): Promise<void> {
  // Sorted, because two moves could deadlock.
  for (const { kind, id } of things.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    await write.projects.lockThing(organizationId, kind, id)
  }
}

/** A move with all data that presenting and executing it needs. */
interface Plan {
  target: ProjectId | null
  moves: PlannedMove[]
  notices: string[]
  nameOf(projectId: ProjectId | null): string | null
  /** Defaults that end because the target may have only one. */
  endingDefaults: LlmConfigurationRecord[]
}

async function plan(
  read: Readers,
  organizationId: OrganizationId,
  things: readonly ThingToMove[],
  target: ProjectId | null,
): Promise<Plan> {
  const rows = read.builder.projectMoves
  const found = new Map(
    (await rows.things(organizationId, things)).map((row) => [`${row.kind} ${row.id}`, row]),
  )
  const missing = things.flatMap(({ kind, id }, at): FieldError[] =>
    found.has(`${kind} ${id}`)
      ? []
      : [{ path: `things.${at}.id`, message: `is not ${SINGULARS[kind]} of this organization` }],
  )
  if (missing.length > 0) {
    throw new DomainError('validation_error', 'Some of the items were not found.', { errors: missing })
  }
  const stored = things.flatMap(({ kind, id }) => found.get(`${kind} ${id}`) ?? [])
  const isAsked = (kind: MovableKind) => stored.some((thing) => thing.kind === kind)
  const slugUses = isAsked('agent') || isAsked('skill') ? await rows.slugUses(organizationId, things) : []
  const slugs = new Set([
    ...slugUses.map(({ slug }) => slug),
    ...stored.filter(({ kind }) => kind === 'skill').map(({ name }) => name),
  ])
  const names = new Map((await read.projects.list(organizationId)).map(({ id, name }) => [id, name]))
  const nameOf = (projectId: ProjectId | null) => (projectId === null ? null : (names.get(projectId) ?? null))
  const moves = planMove({
    things: stored,
    target,
    nameOf,
    uses: await rows.uses(organizationId, things),
    slugUses,
    skills: slugs.size > 0 ? await rows.skillsOfSlugs(organizationId, [...slugs]) : [],
  })
  const configurations = await read.llmConfigurations.list(organizationId)
  const defaults = defaultsAfter(configurations, stored, target)
  const movingKinds = stored.filter(({ projectId }) => projectId !== target)
  const notices = [
    ...(await keyNotices(read, organizationId, movingKinds, target)),
    ...conversationNotices(movingKinds),
    ...defaults.notices,
    ...modelNotices(configurations, movingKinds, target, nameOf),
  ]
  return { target, moves, notices, nameOf, endingDefaults: defaults.ending }
}

/** The kinds of resources that callers reach with an API key. */
const CALLED: ReadonlySet<MovableKind> = new Set(['agent', 'team', 'workflow'])

/** Keys of a project see only that project. */
async function keyNotices(
  { builder }: Pick<Readers, 'builder'>,
  organizationId: OrganizationId,
  moving: readonly OwnedThingRow[],
  target: ProjectId | null,
): Promise<string[]> {
  const left = new Set(
    moving.flatMap(({ kind, projectId }) =>
      CALLED.has(kind) && projectId !== null && projectId !== target ? [projectId] : [],
    ),
  )
  const notices: string[] = []
  for (const id of left) {
    const project = await builder.projects.byId(organizationId, id)
    const count = project?.contents.apiKeys ?? 0
    if (!project || count === 0) continue
    const keys = count === 1 ? 'The API key' : `The ${count} API keys`
    notices.push(`${keys} of the project “${project.name}” can no longer call the moved resources.`)
  }
  return notices
}

function conversationNotices(moving: readonly OwnedThingRow[]): string[] {
  const talks = moving.some(({ kind }) => kind === 'agent' || kind === 'team')
  return talks
    ? [
        'Conversations start over: a session_id from before the move gets an empty history. Past runs remain in the previous project.',
      ]
    : []
}

/** A level has one default: a moved default loses the role if the target already has one. */
function defaultsAfter(
  configurations: readonly LlmConfigurationRecord[],
  things: readonly OwnedThingRow[],
  target: ProjectId | null,
): { ending: LlmConfigurationRecord[]; notices: string[] } {
  const ids = new Set(things.flatMap(({ kind, id }) => (kind === 'llm_configuration' ? [id] : [])))
  const moving = configurations.filter(
    ({ id, isDefault, projectId }) => isDefault && ids.has(id) && projectId !== target,
  )
  const isTaken = configurations.some(({ isDefault, projectId }) => isDefault && projectId === target)
  const ending = isTaken ? moving : moving.slice(1)
  return {
    ending,
    notices: [
      ...moving.map(
        ({ name }) =>
          `“${name}” is no longer the default LLM configuration where it was: choose another one there.`,
      ),
      ...ending.map(({ name }) => `“${name}” does not become the default there, because one already exists.`),
    ],
  }
}

/** Agents, teams and workflows without an LLM configuration use the default of their project. */
function modelNotices(
  configurations: readonly LlmConfigurationRecord[],
  moving: readonly OwnedThingRow[],
  target: ProjectId | null,
  nameOf: Plan['nameOf'],
): string[] {
  const byDefault = (projectId: ProjectId | null) =>
    defaultConfiguration(
      projectId,
      configurations.filter((one) => one.status === 'connected' && mayUse(projectId, one.projectId)),
    )
  const after = byDefault(target)
  const from = new Set(moving.flatMap(({ kind, projectId }) => (CALLED.has(kind) ? [projectId] : [])))
  return [...from].flatMap((projectId) => {
    const before = byDefault(projectId)
    if (before?.id === after?.id || !before) return []
    const place = projectId === null ? 'the organization' : `the project “${nameOf(projectId)}”`
    const next = after ? `“${after.name}”` : 'no LLM configuration'
    return [
      `Agents, teams and workflows without an LLM configuration will use ${next} instead of “${before.name}”, the default of ${place}.`,
    ]
  })
}

async function move(
  { write }: Transaction,
  { organizationId, actor }: BuilderCaller,
  { moves, target, endingDefaults }: Plan,
): Promise<void> {
  for (const former of endingDefaults) await write.llmConfigurations.update({ ...former, isDefault: false })
  const moving = moves.map(({ thing }) => thing).filter(({ projectId }) => projectId !== target)
  const byKind = Map.groupBy(moving, ({ kind }) => kind)
  for (const [kind, things] of byKind) {
    const ids = things.map(({ id }) => id)
    await write.projects.moveThings(organizationId, kind, ids, target)
  }
  await write.audit.appendAll(
    moving.map(({ kind, id, name, projectId }) => ({
      organizationId,
      // Also listed under the project from which it moves to the organization level.
      projectId: target ?? projectId,
      actor,
      action: `${kind}.moved` as const,
      entityKind: kind,
      entityId: id,
      before: { name, projectId },
      after: { name, projectId: target },
    })),
  )
}

function shown({ thing, usedBy, problems }: PlannedMove, nameOf: Plan['nameOf']): MovedThing {
  const owner = ({ projectId }: OwnedThingRow) => ({ projectId, projectName: nameOf(projectId) })
  return {
    kind: thing.kind,
    id: thing.id,
    name: thing.name,
    ...owner(thing),
    usedBy: usedBy.slice(0, MAX_NAMED_USERS).map((user) => ({
      kind: user.kind,
      id: user.id,
      name: user.name,
      ...owner(user),
    })),
    usedByCount: usedBy.length,
    problems,
  }
}

const SINGULARS: Readonly<Record<MovableKind, string>> = {
  agent: 'an agent',
  team: 'a team',
  workflow: 'a workflow',
  knowledge_base: 'a knowledge base',
  skill: 'a skill',
  llm_configuration: 'an LLM configuration',
  credential: 'a credential',
  mcp_server: 'an MCP server',
  phone_trunk: 'a phone trunk',
}

const PLURALS: Readonly<Record<MovableKind, string>> = {
  agent: 'agents',
  team: 'teams',
  workflow: 'workflows',
  knowledge_base: 'knowledge bases',
  skill: 'skills',
  llm_configuration: 'LLM configurations',
  credential: 'credentials',
  mcp_server: 'MCP servers',
  phone_trunk: 'phone trunks',
}
