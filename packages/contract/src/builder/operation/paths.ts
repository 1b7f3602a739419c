import { Type } from 'typebox'

/** Where the builder's API begins. */
export const BUILDER_PATH = '/api/builder/v1'

/** Where the operations on one organization begin. */
export const ORGANIZATION_PATH = `${BUILDER_PATH}/organizations/{organizationId}` as const

/** The organization in the path, by its UUID or its slug. */
export const organizationParams = {
  organizationId: Type.String({ description: 'The UUID or the slug of the organization.' }),
}
