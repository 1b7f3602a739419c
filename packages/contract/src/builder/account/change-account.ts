import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { BUILDER_PATH } from '../operation/paths.ts'

const PATH = `${BUILDER_PATH}/account` as const

/** Length limit of the name of a person, in characters. */
export const LONGEST_PERSON_NAME = 128

export const renamePersonInBuilder = defineOperation({
  id: 'renamePerson',
  method: 'PUT',
  path: `${PATH}/name`,
  tag: 'Account',
  summary: 'Change the name of the person',
  description: 'Line breaks and spaces at the ends are removed.',
  access: 'person',
  body: Type.Object({ name: Type.String({ minLength: 1, maxLength: LONGEST_PERSON_NAME }) }),
  success: {
    status: 200,
    description: 'The name as it is stored.',
    body: Type.Object({ name: Type.String() }),
  },
  errors: ['validation_error'],
})

export const changePasswordInBuilder = defineOperation({
  id: 'changePassword',
  method: 'PUT',
  path: `${PATH}/password`,
  tag: 'Account',
  summary: 'Change the password of the person',
  description: 'Sets a new session cookie, and ends every other sign-in of the person.',
  access: 'person',
  body: Type.Object({
    current: Type.String({ minLength: 1, maxLength: 128 }),
    next: Type.String({ minLength: 1, maxLength: 128 }),
  }),
  success: { status: 204, description: 'The password was changed.', body: Type.Null() },
  errors: ['validation_error'],
})
