import { type TObject, type TProperties, Type } from 'typebox'
import type { Operation } from '../../operation/operation.ts'
import type { Permission } from '../../permissions/permissions.ts'
import { ORGANIZATION_PATH, organizationParams } from './paths.ts'

type OwnParams<O> = O extends { params: TObject<infer P extends TProperties> } ? P : Record<never, never>

/** The same operation for members and the operator. */
export type ForBuilder<O extends Operation> = Omit<O, 'access' | 'path' | 'params'> & {
  access: 'builder'
  needs: Permission
  path: `/api/${string}`
  params: TObject<OwnParams<O> & typeof organizationParams>
}

/** An operation of the public API on an organization, for its members and the operator. */
export function forBuilder<const O extends Operation>(operation: O, needs: Permission): ForBuilder<O> {
  const own: TProperties = operation.params?.properties ?? {}
  return {
    ...operation,
    access: 'builder',
    needs,
    path: `${ORGANIZATION_PATH}${operation.path.slice('/api/v1'.length)}`,
    params: Type.Object({ ...organizationParams, ...own }) as ForBuilder<O>['params'],
  }
}
