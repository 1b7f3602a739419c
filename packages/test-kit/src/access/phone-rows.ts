import { randomUUID } from 'node:crypto'
import type { ErrorCode } from '@troupe/contract'
import type { BuilderOperationId } from '@troupe/contract/builder'
import { type SeededCalls, seedCalls } from '../server/seed-calls.ts'
import type { TestServer } from '../server/start-test-server.ts'
import type { BuilderRow } from './builder-row.ts'

type PhoneOperation = Extract<
  BuilderOperationId,
  `${string}Phone${'Trunk' | 'Trunks' | 'Number'}` | `${string}DoNotCall`
>

const at = (path: string, body?: object): BuilderRow => ({ own: () => ({ path, ...(body ? { body } : {}) }) })

/** An operation on a trunk or number of this organization or another one. */
function of(error: ErrorCode, path: (seeded: SeededCalls) => string, body?: object): BuilderRow {
  const request = async (server: TestServer, place: 'organization' | 'otherOrganization') => {
    const { seed, context } = server
    const organizationId = place === 'organization' ? seed.organizationId : seed.otherOrganizationId
    const owner = { organizationId, projectId: null, agentId: seed.agents[place], minutes: null }
    return { path: path(await seedCalls(context.database, owner)), ...(body ? { body } : {}) }
  }
  return {
    own: (server) => request(server, 'organization'),
    foreign: { error, request: (server) => request(server, 'otherOrganization') },
  }
}

const TRUNK = { slug: 'mine', name: 'Mine', direction: 'inbound', address: 'sip.carrier.test', version: 1 }
const NUMBER = { slug: `mine-${randomUUID()}`, e164: '+442079460111', voiceConfigId: null }

const ofTrunk = (rest: string, body?: object) =>
  of('phone_trunk_not_found', ({ trunkId }) => `/phone-trunks/${trunkId}${rest}`, body)
const ofNumber = (body?: object) =>
  of('phone_number_not_found', ({ phoneNumberId }) => `/phone-numbers/${phoneNumberId}`, body)

/** Operations on trunks, numbers and numbers on the do-not-call list. */
export const PHONE_ROWS: Readonly<Record<PhoneOperation, BuilderRow>> = {
  listPhoneTrunks: at('/phone-trunks'),
  createPhoneTrunk: at('/phone-trunks', {}),
  updatePhoneTrunk: ofTrunk('', TRUNK),
  provisionPhoneTrunk: ofTrunk('/provision'),
  deletePhoneTrunk: ofTrunk(''),
  createPhoneNumber: ofTrunk('/numbers', NUMBER),
  updatePhoneNumber: ofNumber({ ...NUMBER, version: 1 }),
  deletePhoneNumber: ofNumber(),
  listDoNotCall: at('/do-not-call'),
  addDoNotCall: at('/do-not-call', {}),
  confirmDoNotCall: at('/do-not-call', {}),
  deleteDoNotCall: at('/do-not-call/+442079460999'),
}
