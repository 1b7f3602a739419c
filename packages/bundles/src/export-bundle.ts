import { DomainError } from '@troupe/contract'
import type { Database, Readers } from '@troupe/database'
import type { DocumentFiles } from '@troupe/operations/knowledge/document-files'
import { openCredentials } from '@troupe/operations/llm-configurations/credentials'
import type { SecretBox } from '@troupe/secrets'
import { describeOrganization } from './export/describe-organization.ts'
import { readEverything, type WholeOrganization } from './export/read-everything.ts'
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
 * @throws DomainError `organization_not_found`
 */
export async function exportBundle(
  { database, box, documents }: ExportParts,
  slug: string | null,
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
  return writeYaml(wholes.map(describeOrganization), new Map(names))
}

async function organizationsOf(read: Readers, slug: string | null) {
  if (slug === null) {
    return (await read.organizations.all()).toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
  }
  const organization = await read.organizations.bySlug(slug)
  if (!organization) throw new DomainError('organization_not_found', 'There is no such organization.')
  return [organization]
}
