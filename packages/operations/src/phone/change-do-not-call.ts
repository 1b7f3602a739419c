import type { AddDoNotCallBody, AddedDoNotCall } from '@troupe/contract/builder'
import type { AuditEntry, Database } from '@troupe/storage'
import { canonicalNumber } from '@troupe/voice'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { numberNotFound } from './find-phone.ts'

/** Dependencies of the operations. */
interface ChangeDoNotCallParts {
  database: Pick<Database, 'transaction'>
}

/** Confirms a proposed number, or adds one. */
export async function confirmDoNotCallNumber(
  { database }: ChangeDoNotCallParts,
  caller: BuilderCaller,
  { e164: given, reason }: { e164: string; reason: string },
): Promise<void> {
  const { organizationId } = caller
  const e164 = canonicalNumber(given)
  await database.transaction(async ({ write }) => {
    await write.phone.putDoNotCall({ organizationId, e164, status: 'confirmed', reason })
    await write.audit.append(confirmed(caller, e164, reason))
  })
}

/** Adds many numbers in one transaction; confirmed ones are unchanged. */
export async function addDoNotCallNumbers(
  { database }: ChangeDoNotCallParts,
  caller: BuilderCaller,
  { numbers, reason }: AddDoNotCallBody,
): Promise<AddedDoNotCall> {
  const different = [...new Set(numbers.map(canonicalNumber))]
  return database.transaction(async ({ write }) => {
    const added = await write.phone.confirmDoNotCall(caller.organizationId, different, reason)
    await write.audit.appendAll(added.map((e164) => confirmed(caller, e164, reason)))
    return { added: added.length, known: different.length - added.length }
  })
}

/** @throws DomainError `phone_number_not_found` */
export async function deleteDoNotCallNumber(
  { database }: ChangeDoNotCallParts,
  { organizationId, actor }: BuilderCaller,
  given: string,
): Promise<void> {
  const e164 = canonicalNumber(given)
  await database.transaction(async ({ write }) => {
    if (!(await write.phone.deleteDoNotCall(organizationId, e164))) throw numberNotFound()
    await write.audit.append({
      ...{ organizationId, projectId: null, actor, action: 'do_not_call.deleted' },
      ...{ entityKind: 'do_not_call', entityId: e164, before: { e164 }, after: null },
    })
  })
}

function confirmed({ organizationId, actor }: BuilderCaller, e164: string, reason: string): AuditEntry {
  return {
    ...{ organizationId, projectId: null, actor, action: 'do_not_call.confirmed' },
    ...{ entityKind: 'do_not_call', entityId: e164, before: null, after: { e164, reason } },
  }
}
