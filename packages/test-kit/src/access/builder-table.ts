import type { BuilderOperationId } from '@troupe/builder-contract'
import type { ErrorCode } from '@troupe/contract'
import { seedTeam } from '../server/seed-team.ts'
import type { TestServer } from '../server/start-test-server.ts'

/** One request below the organization's path. */
export interface BuilderRequest {
  /** What follows `/organizations/{organizationId}`: ``, `/agents/<id>`. */
  path: string
  body?: object
}

/** How one operation of the builder is tried by callers without access. */
export interface BuilderRow {
  /** A request that an owner and the operator may send; it need not succeed, but must get past admission. */
  own: (server: TestServer) => BuilderRequest | Promise<BuilderRequest>
  /** The same request for a resource of another organization: must look exactly like an unknown id. */
  foreign?: { error: ErrorCode; request: (server: TestServer) => BuilderRequest | Promise<BuilderRequest> }
}

/** Of no version: a change that is made from it is a conflict. */
const NO_VERSION = '00000000-0000-4000-8000-000000000000'

const organizationItself: BuilderRow = { own: () => ({ path: '' }) }

type Place = 'organization' | 'otherOrganization'

/** An agent or a team with its current version; teams are new, because one operation deletes its own. */
async function seeded(kind: 'agent' | 'team', { seed, context: { database } }: TestServer, place: Place) {
  const organizationId = place === 'organization' ? seed.organizationId : seed.otherOrganizationId
  const found =
    kind === 'agent'
      ? await database.read.agents.byId(organizationId, seed.agents[place])
      : await seedTeam(database, { organizationId, projectId: null }).then(({ teamId }) =>
          database.read.teams.byId(organizationId, teamId),
        )
  if (!found) throw new Error(`The seed has no ${kind}.`)
  return found
}

/** An operation on an agent or a team. */
function entity(kind: 'agent' | 'team', rest: string, body?: object): BuilderRow {
  const at = async (server: TestServer, place: Place) => {
    const { id } = await seeded(kind, server, place)
    return { path: `/${kind}s/${id}${rest}`, ...(body && { body }) }
  }
  return {
    own: (server) => at(server, 'organization'),
    foreign: { error: `${kind}_not_found`, request: (server) => at(server, 'otherOrganization') },
  }
}

/** An operation on a version of an agent or a team. */
function version(
  kind: 'agent' | 'team',
  rest: string,
  body?: object,
  error: ErrorCode = 'version_not_found',
): BuilderRow {
  const at = async (server: TestServer, place: Place) => {
    const { id, versionId } = await seeded(kind, server, place)
    return { path: `/${kind}s/${id}/versions/${versionId}${rest}`, ...(body && { body }) }
  }
  return {
    own: (server) => at(server, 'organization'),
    foreign: { error, request: (server) => at(server, 'otherOrganization') },
  }
}

const path = (path: string, body?: object): BuilderRow => ({ own: () => ({ path, ...(body && { body }) }) })

/** Every operation of the builder; a missing one does not compile. */
export const BUILDER_TABLE: Readonly<Record<BuilderOperationId, BuilderRow>> = {
  getOrganization: organizationItself,
  listAgents: path('/agents'),
  createAgent: path('/agents', { name: 'Access' }),
  getAgent: entity('agent', ''),
  updateAgent: entity('agent', '', { name: 'Access', baseVersionId: NO_VERSION }),
  setAgentStatus: entity('agent', '/status', { status: 'draft' }),
  duplicateAgent: entity('agent', '/duplicate', {}),
  listAgentVersions: entity('agent', '/versions'),
  getAgentVersion: version('agent', ''),
  describeAgentVersion: version('agent', '', { label: 'Access' }),
  restoreAgentVersion: version('agent', '/restore', { baseVersionId: NO_VERSION }),
  listTeams: path('/teams'),
  createTeam: path('/teams', { name: 'Access', config: {} }),
  getTeam: entity('team', ''),
  updateTeam: entity('team', '', { name: 'Access', baseVersionId: NO_VERSION }),
  deleteTeam: entity('team', ''),
  duplicateTeam: entity('team', '/duplicate', {}),
  listTeamVersions: entity('team', '/versions'),
  getTeamVersion: version('team', ''),
  describeTeamVersion: version('team', '', { label: 'Access' }),
  restoreTeamVersion: version('team', '/restore', { baseVersionId: NO_VERSION }, 'team_not_found'),
}
