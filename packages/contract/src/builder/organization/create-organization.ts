import { type Static, Type } from 'typebox'
import { Slug } from '../../bundles/bundle-fields.ts'
import { EmailAddress, Password, PersonName } from '../../members/member.ts'
import { defineOperation } from '../../operation/operation.ts'
import { Uuid } from '../../schema/formats.ts'
import type { OrganizationId } from '../../schema/ids.ts'
import { BUILDER_PATH } from '../operation/paths.ts'
import { Organization, SettingName } from './organization.ts'

/** A new organization, and the account of its first owner. */
export const CreateOrganizationBody = Type.Object(
  {
    id: Type.Optional(Uuid<OrganizationId>()),
    slug: Slug,
    name: SettingName,
    owner: Type.Optional(
      Type.Object(
        { email: EmailAddress, name: PersonName, password: Type.Optional(Password) },
        {
          additionalProperties: false,
          description:
            'An existing account becomes the owner with its own name and password; a new one needs a password.',
        },
      ),
    ),
  },
  { additionalProperties: false, examples: [{ slug: 'acme', name: 'Acme' }] },
)
export type CreateOrganizationBody = Static<typeof CreateOrganizationBody>

export const createOrganizationAsOperator = defineOperation({
  id: 'createOrganization',
  method: 'POST',
  path: `${BUILDER_PATH}/organizations`,
  tag: 'Operator',
  summary: 'Create an organization',
  access: 'operator',
  body: CreateOrganizationBody,
  success: {
    status: 201,
    description: 'The organization.',
    body: Organization,
    unchanged: 'The organization with this id exists.',
  },
  errors: ['validation_error', 'slug_taken', 'id_taken'],
})
