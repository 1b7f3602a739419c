import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { type BuilderHandler, handler } from '../handlers/handler.ts'
import { pageOf } from '../handlers/list-page.ts'
import { addDoNotCallNumbers, confirmDoNotCallNumber, deleteDoNotCallNumber } from './change-do-not-call.ts'
import { createNumber, deleteNumber, updateNumber } from './change-number.ts'
import {
  type ChangeTrunkParts,
  createTrunk,
  deleteTrunk,
  provisionTrunkAgain,
  updateTrunk,
} from './change-trunk.ts'
import { listTrunks } from './find-phone.ts'

/** Trunks, their numbers, and the do-not-call list. */
export function phoneHandlers(parts: ChangeTrunkParts): BuilderHandler[] {
  const op = BUILDER_OPERATIONS
  const { read } = parts.database
  return [
    handler(op.listPhoneTrunks, async ({ caller }) => ({
      data: await listTrunks(read, caller.organizationId),
    })),
    handler(op.createPhoneTrunk, ({ caller, body }) => createTrunk(parts, caller, body)),
    handler(op.updatePhoneTrunk, ({ caller, params, body }) =>
      updateTrunk(parts, caller, params.trunkId, body),
    ),
    handler(op.provisionPhoneTrunk, ({ caller, params }) =>
      provisionTrunkAgain(parts, caller, params.trunkId),
    ),
    handler(op.deletePhoneTrunk, async ({ caller, params }) => {
      await deleteTrunk(parts, caller, params.trunkId)
      return null
    }),
    handler(op.createPhoneNumber, ({ caller, params, body }) =>
      createNumber(parts, caller, params.trunkId, body),
    ),
    handler(op.updatePhoneNumber, ({ caller, params, body }) =>
      updateNumber(parts, caller, params.phoneNumberId, body),
    ),
    handler(op.deletePhoneNumber, async ({ caller, params }) => {
      await deleteNumber(parts, caller, params.phoneNumberId)
      return null
    }),
    handler(op.listDoNotCall, async ({ caller, query }) => {
      const { page = 1, limit = 20, q } = query
      const found = await read.phone.doNotCall(caller.organizationId, { page, limit, q })
      return pageOf(query, found, ({ e164, status, reason, createdAt }) => ({
        ...{ e164, status, reason, createdAt: createdAt.toISOString() },
      }))
    }),
    handler(op.addDoNotCall, ({ caller, body }) => addDoNotCallNumbers(parts, caller, body)),
    handler(op.confirmDoNotCall, async ({ caller, body }) => {
      await confirmDoNotCallNumber(parts, caller, body)
      return null
    }),
    handler(op.deleteDoNotCall, async ({ caller, params }) => {
      await deleteDoNotCallNumber(parts, caller, params.e164)
      return null
    }),
  ]
}
