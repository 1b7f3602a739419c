import { type BundleOrganization, DomainError, shortened } from '@troupe/contract'
import type { Database, Readers } from '@troupe/database'
import { openCredentials } from '@troupe/operations/llm-configurations/credentials'
import type { DocumentFiles } from '@troupe/retrieval/documents/document-files'
import type { SecretBox } from '@troupe/secrets'
import { describeOrganization } from './export/describe-organization.ts'
import { readEverything, type WholeOrganization } from './export/read-everything.ts'
import { type ItemSelection, selectItems } from './export/select-items.ts'
import { writeYaml } from './export/write-yaml.ts'

/** The dependencies of an export. */
export interface ExportParts {
  database: Pick<Database, 'read'>
  documents: Pick<DocumentFiles, 'text'>
  /** Decrypts credentials only to list their field names; the values are not exported. */
  box: SecretBox
}

/**
 * Exports one organization, or all of them, as a bundle without secrets.
 *
 * @param slug null: every organization
 * @param selection of one organization: only these items, without the settings of the organization
 * @throws DomainError `organization_not_found`, or `validation_error` for a selected item that does not exist
 */
export async function exportBundle(
  { database, box, documents }: ExportParts,
  slug: string | null,
  selection: ItemSelection | null = null,
): Promise<string> {
  const { read } = database
  const wholes: WholeOrganization[] = []
  for (const organization of await organizationsOf(read, slug)) {
    wholes.push(await readEverything(read, (key) => documents.text(key), organization))
  }
  const names = wholes.flatMap(({ llmConfigurations }) =>
    llmConfigurations
      .filter(({ sealedCredentials }) => sealedCredentials !== null)
      .map((record) => [record.id, Object.keys(openCredentials(box, record) ?? { apiKey: '' })] as const),
  )
  const described = wholes.map(describeOrganization)
  return writeYaml(selection ? described.map((one) => only(one, selection)) : described, new Map(names))
}

function only(organization: BundleOrganization, selection: ItemSelection): BundleOrganization {
  const { selected, unknown } = selectItems(organization, selection)
  if (unknown.length === 0) return selected
  const errors = unknown.map((name) => ({
    path: 'include',
    message: `has ${shortened(name, 100)}, which does not exist`,
  }))
  throw new DomainError('validation_error', 'The request is not valid.', { errors })
}

async function organizationsOf(read: Readers, slug: string | null) {
  if (slug === null) {
    return (await read.organizations.all()).toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
  }
  const organization = await read.organizations.bySlug(slug)
  if (!organization) throw new DomainError('organization_not_found', 'There is no such organization.')
  return [organization]
}
