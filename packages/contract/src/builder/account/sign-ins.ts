import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import type { SignInRowId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { BUILDER_PATH } from '../operation/paths.ts'

const PATH = `${BUILDER_PATH}/account/sign-ins` as const

/** A sign-in session of a person. */
export const SignInPlace = Type.Object({
  signInId: Uuid<SignInRowId>(),
  ip: Nullable(Type.String()),
  userAgent: Nullable(Type.String()),
  browser: Nullable(Type.String({ description: 'Read from `userAgent`: `Chrome on macOS`; null: unknown.' })),
  createdAt: IsoTimestamp(),
  expiresAt: IsoTimestamp(),
  isCurrent: Type.Boolean({ description: 'Whether this request came with it.' }),
})
export type SignInPlace = Static<typeof SignInPlace>

export const listSignInsOfPerson = defineOperation({
  id: 'listSignIns',
  method: 'GET',
  path: PATH,
  tag: 'Account',
  summary: 'List the sign-ins of the person',
  access: 'person',
  success: {
    status: 200,
    description: 'The sign-ins that have not expired, newest first.',
    body: Type.Object({ data: Type.Array(SignInPlace) }),
  },
  errors: [],
})

export const endSignInOfPerson = defineOperation({
  id: 'endSignIn',
  method: 'DELETE',
  path: `${PATH}/{signInId}`,
  tag: 'Account',
  summary: 'End a sign-in of the person',
  access: 'person',
  params: Type.Object({ signInId: Type.String() }),
  success: { status: 204, description: 'The sign-in ended in every process.', body: Type.Null() },
  errors: ['sign_in_not_found'],
})
