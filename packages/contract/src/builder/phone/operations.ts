import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import {
  AddDoNotCallBody,
  AddedDoNotCall,
  ConfirmDoNotCallBody,
  CreatePhoneNumberBody,
  CreatePhoneTrunkBody,
  DoNotCallPage,
  doNotCallQuery,
  PhoneNumber,
  PhoneTrunk,
  UpdatePhoneNumberBody,
  UpdatePhoneTrunkBody,
} from './phone.ts'

const TRUNKS = `${ORGANIZATION_PATH}/phone-trunks` as const
const TRUNK = `${TRUNKS}/{trunkId}` as const
const NUMBER = `${ORGANIZATION_PATH}/phone-numbers/{phoneNumberId}` as const
const LIST = `${ORGANIZATION_PATH}/do-not-call` as const
const organization = Type.Object(organizationParams)
const ofTrunk = Type.Object({ ...organizationParams, trunkId: Type.String() })
const ofNumber = Type.Object({ ...organizationParams, phoneNumberId: Type.String() })
const reads = { tag: 'Phone', access: 'builder', needs: 'read' } as const
const changes = { tag: 'Phone', access: 'builder', needs: 'manage' } as const
const theTrunk = { status: 200, description: 'The trunk.', body: PhoneTrunk } as const
const theNumber = { status: 200, description: 'The number.', body: PhoneNumber } as const

/** Trunks, their numbers, and the do-not-call list. */
export const PHONE_OPERATIONS = {
  listPhoneTrunks: defineOperation({
    ...{ id: 'listPhoneTrunks', method: 'GET', path: TRUNKS, ...reads },
    summary: 'List trunks with their numbers and whether they are provisioned',
    params: organization,
    success: {
      status: 200,
      description: 'Oldest first.',
      body: Type.Object({ data: Type.Array(PhoneTrunk) }),
    },
    errors: [],
  }),
  createPhoneTrunk: defineOperation({
    ...{ id: 'createPhoneTrunk', method: 'POST', path: TRUNKS, ...changes },
    summary: 'Create a trunk',
    description:
      'An active outbound trunk is provisioned in the media server within seconds; `provisionError` has the cause of a failure.',
    params: organization,
    body: CreatePhoneTrunkBody,
    success: { status: 201, description: 'The trunk.', body: PhoneTrunk },
    errors: ['validation_error', 'project_not_found', 'slug_taken', 'id_taken'],
  }),
  updatePhoneTrunk: defineOperation({
    ...{ id: 'updatePhoneTrunk', method: 'PUT', path: TRUNK, ...changes },
    summary: 'Change or disable a trunk',
    params: ofTrunk,
    body: UpdatePhoneTrunkBody,
    success: theTrunk,
    errors: [
      'validation_error',
      'phone_trunk_not_found',
      'project_not_found',
      'version_conflict',
      'slug_taken',
    ],
  }),
  provisionPhoneTrunk: defineOperation({
    ...{ id: 'provisionPhoneTrunk', method: 'POST', path: `${TRUNK}/provision`, ...changes },
    summary: 'Provision a trunk in the media server again',
    params: ofTrunk,
    success: theTrunk,
    errors: ['phone_trunk_not_found'],
  }),
  deletePhoneTrunk: defineOperation({
    ...{ id: 'deletePhoneTrunk', method: 'DELETE', path: TRUNK, ...changes },
    summary: 'Delete a trunk with its numbers',
    params: ofTrunk,
    success: { status: 204, description: 'Deleted. Active calls continue.', body: Type.Null() },
    errors: ['phone_trunk_not_found'],
  }),
  createPhoneNumber: defineOperation({
    ...{ id: 'createPhoneNumber', method: 'POST', path: `${TRUNK}/numbers`, ...changes },
    summary: 'Add a number to a trunk',
    params: ofTrunk,
    body: CreatePhoneNumberBody,
    success: { status: 201, description: 'The number.', body: PhoneNumber },
    errors: ['validation_error', 'phone_trunk_not_found', 'slug_taken', 'id_taken'],
  }),
  updatePhoneNumber: defineOperation({
    ...{ id: 'updatePhoneNumber', method: 'PUT', path: NUMBER, ...changes },
    summary: 'Change a number or the voice that speaks for it',
    params: ofNumber,
    body: UpdatePhoneNumberBody,
    success: theNumber,
    errors: ['validation_error', 'phone_number_not_found', 'version_conflict', 'slug_taken', 'id_taken'],
  }),
  deletePhoneNumber: defineOperation({
    ...{ id: 'deletePhoneNumber', method: 'DELETE', path: NUMBER, ...changes },
    summary: 'Delete a number',
    params: ofNumber,
    success: { status: 204, description: 'Deleted.', body: Type.Null() },
    errors: ['phone_number_not_found'],
  }),
  listDoNotCall: defineOperation({
    ...{ id: 'listDoNotCall', method: 'GET', path: LIST, ...reads },
    summary: 'List numbers that are not to be called',
    params: organization,
    query: Type.Object(doNotCallQuery),
    success: {
      status: 200,
      description: 'One page: proposed ones first, then newest first.',
      body: DoNotCallPage,
    },
    errors: ['validation_error'],
  }),
  addDoNotCall: defineOperation({
    ...{ id: 'addDoNotCall', method: 'POST', path: LIST, ...changes },
    summary: 'Add many numbers that are not to be called',
    description: 'All of them, or none if one is invalid. Proposed numbers are confirmed.',
    params: organization,
    body: AddDoNotCallBody,
    success: {
      status: 200,
      description: 'Calls to the numbers are refused from now on.',
      body: AddedDoNotCall,
    },
    errors: ['validation_error'],
  }),
  confirmDoNotCall: defineOperation({
    ...{ id: 'confirmDoNotCall', method: 'PUT', path: LIST, ...changes },
    summary: 'Confirm or add a number that is not to be called',
    params: organization,
    body: ConfirmDoNotCallBody,
    success: { status: 204, description: 'Calls to the number are refused from now on.', body: Type.Null() },
    errors: ['validation_error'],
  }),
  deleteDoNotCall: defineOperation({
    ...{ id: 'deleteDoNotCall', method: 'DELETE', path: `${LIST}/{e164}`, ...changes },
    summary: 'Remove a number from the list',
    params: Type.Object({ ...organizationParams, e164: Type.String({ description: 'With its plus sign.' }) }),
    success: { status: 204, description: 'Calls to the number are allowed again.', body: Type.Null() },
    errors: ['phone_number_not_found'],
  }),
} as const
