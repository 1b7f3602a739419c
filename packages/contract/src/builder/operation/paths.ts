import { Type } from 'typebox'

/** Path prefix of the builder's API. */
export const BUILDER_PATH = '/api/builder/v1'

/** Path prefix of the operations on one organization. */
export const ORGANIZATION_PATH = `${BUILDER_PATH}/organizations/{organizationId}` as const

/** The organization in the path, by its UUID or its slug. */
export const organizationParams = {
  organizationId: Type.String({ description: 'The UUID or the slug of the organization.' }),
}
