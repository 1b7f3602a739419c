import {
  checkedId,
  type IdText,
  invalidField,
  invalidRequest,
  type NewId,
  PhoneTrunkId,
} from '@troupe/contract'
import type { CreatePhoneTrunkBody, PhoneTrunk, UpdatePhoneTrunkBody } from '@troupe/contract/builder'
import type { SecretBox } from '@troupe/secrets'
import type { Database, Transaction, WrittenPhoneTrunk } from '@troupe/storage'
import {
  MediaPlaneError,
  maySpeakOn,
  type PhoneTrunkRecord,
  provisionPhoneTrunk,
  removeMediaTrunk,
  type TrunkProvisioning,
} from '@troupe/voice'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { projectAfter } from '../changes/asked-project.ts'
import { auditChange } from '../changes/audit-change.ts'
import { requireVersion } from '../changes/require-version.ts'
import { namingTaken } from '../changes/unique-violation.ts'
import { Unchanged } from '../handlers/handler.ts'
import { requireShownName } from '../names/require-shown-name.ts'
import { auditedTrunk } from './audited-phone.ts'
import { findTrunk, showTrunk } from './find-phone.ts'
import { trunkFaults, writtenTrunk } from './written-trunk.ts'

/** Dependencies of the operations. */
export interface ChangeTrunkParts {
  database: Pick<Database, 'read' | 'transaction'>
  secretBox: SecretBox
  newId: NewId
  /** Milliseconds since the epoch. */
  now: () => number
  provisioning: TrunkProvisioning
}

/**
 * Creates a trunk. A request with the `id` of an existing trunk changes nothing, so it may be repeated.
 *
 * @throws DomainError `validation_error`, `project_not_found`, `slug_taken`, `id_taken`
 */
export function createTrunk(
  parts: ChangeTrunkParts,
  caller: BuilderCaller,
  body: CreatePhoneTrunkBody,
): Promise<PhoneTrunk | Unchanged<PhoneTrunk>> {
  const { organizationId } = caller
  return parts.database.transaction(async (tx) => {
    // Of two requests with one id, the second finds the trunk of the first.
    await tx.write.organizations.lock(organizationId)
    const id: PhoneTrunkId =
      body.id === undefined ? parts.newId(PhoneTrunkId) : checkedId(PhoneTrunkId, body.id.toLowerCase())
    if (body.id !== undefined && (await tx.read.phone.trunk(organizationId, id))) {
      return new Unchanged(await showTrunk(tx.read, organizationId, id))
    }
    const after = await written(parts, tx, caller, { id, body, before: null })
    await namingTaken(tx.write.phone.insertTrunk(after))
    return audited(tx, caller, null, after)
  })
}

/** @throws DomainError `phone_trunk_not_found`, `version_conflict`, and those of {@link createTrunk} */
export function updateTrunk(
  parts: ChangeTrunkParts,
  caller: BuilderCaller,
  trunkId: IdText<PhoneTrunkId>,
  body: UpdatePhoneTrunkBody,
): Promise<PhoneTrunk> {
  return parts.database.transaction(async (tx) => {
    await tx.write.organizations.lock(caller.organizationId)
    const before = await findTrunk(tx.read, caller.organizationId, trunkId)
    await requireVersion(tx.read, caller, { ...before, kind: 'phone_trunk' }, body.version)
    requireShownName(body.name, before)
    const after = await written(parts, tx, caller, { id: before.id, body, before })
    if (after.projectId !== before.projectId) await requireSpeakersOf(tx, after)
    await namingTaken(tx.write.phone.updateTrunk(after))
    return audited(tx, caller, before, after)
  })
}

/** Provisions the trunk in the media server; a failure is stored with it. @throws DomainError `phone_trunk_not_found` */
export async function provisionTrunkAgain(
  { database: { read }, provisioning }: ChangeTrunkParts,
  { organizationId }: BuilderCaller,
  trunkId: IdText<PhoneTrunkId>,
): Promise<PhoneTrunk> {
  const trunk = await findTrunk(read, organizationId, trunkId)
  await provisionPhoneTrunk(provisioning, trunk).catch((error: unknown) => {
    if (!(error instanceof MediaPlaneError)) throw error
  })
  return showTrunk(read, organizationId, trunkId)
}

/** Deletes the trunk here, and then in the media server. @throws DomainError `phone_trunk_not_found` */
export async function deleteTrunk(
  { database, provisioning }: Pick<ChangeTrunkParts, 'database' | 'provisioning'>,
  caller: BuilderCaller,
  trunkId: IdText<PhoneTrunkId>,
): Promise<void> {
  const { lkTrunkId } = await database.transaction(async (tx) => {
    await tx.write.organizations.lock(caller.organizationId)
    const before = await findTrunk(tx.read, caller.organizationId, trunkId)
    await tx.write.phone.deleteTrunk(caller.organizationId, before.id)
    await auditChange(tx, caller, 'phone_trunk', before, null, auditedTrunk)
    return before
  })
  if (lkTrunkId !== null) await removeMediaTrunk(provisioning, lkTrunkId)
}

async function written(
  { secretBox: box, now }: ChangeTrunkParts,
  { read }: Transaction,
  { organizationId }: BuilderCaller,
  change: {
    id: PhoneTrunkId
    body: CreatePhoneTrunkBody | UpdatePhoneTrunkBody
    before: PhoneTrunkRecord | null
  },
): Promise<WrittenPhoneTrunk> {
  const { id, body, before } = change
  const errors = trunkFaults(body, before)
  if (errors.length > 0) throw invalidRequest(errors)
  const projectId = await projectAfter(read, before ?? { organizationId, projectId: null }, body.projectId)
  return writtenTrunk({ box, now }, { id, organizationId, projectId }, body, before)
}

/** When a trunk changes its project, the agents of its numbers must be able to speak on it. */
async function requireSpeakersOf({ read }: Transaction, trunk: WrittenPhoneTrunk): Promise<void> {
  const { organizationId } = trunk
  const voices = new Map((await read.voiceConfigurations.list(organizationId)).map((row) => [row.id, row]))
  const foreign = (await read.phone.numbers(organizationId)).filter(({ trunkId, voiceConfigId }) => {
    const voice = voiceConfigId === null ? undefined : voices.get(voiceConfigId)
    return trunkId === trunk.id && voice !== undefined && !maySpeakOn(trunk, voice)
  })
  if (foreign.length === 0) return
  const numbers = foreign.map(({ e164 }) => e164).join(', ')
  throw invalidField('projectId', `is not the project of the agents of the numbers ${numbers}`)
}

async function audited(
  tx: Transaction,
  caller: BuilderCaller,
  before: PhoneTrunkRecord | null,
  after: WrittenPhoneTrunk,
): Promise<PhoneTrunk> {
  const isReplaced = before !== null && before.authPasswordEnc !== after.authPasswordEnc
  await auditChange(tx, caller, 'phone_trunk', before, after, (row) =>
    auditedTrunk(row, isReplaced && row === after),
  )
  return showTrunk(tx.read, caller.organizationId, after.id)
}
