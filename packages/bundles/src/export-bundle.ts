import type { Readable } from 'node:stream'
import { type BundleOrganization, DomainError, invalidRequest, shortened } from '@troupe/contract'
import { writeZip, type ZipContent } from '@troupe/documents'
import type { DocumentFiles } from '@troupe/operations/knowledge/documents/document-files'
import { openCredentials } from '@troupe/operations/llm-configurations/credentials'
import type { SecretBox } from '@troupe/secrets'
import type { Database, Readers } from '@troupe/storage'
import { FilesBeside } from './archive/files-beside.ts'
import { describeOrganization } from './export/describe-organization.ts'
import { readEverything, type WholeOrganization } from './export/read-everything.ts'
import { type ItemSelection, selectItems } from './export/select-items.ts'
import { withoutPaths } from './export/without-paths.ts'
import { type CredentialNames, writeYaml } from './export/write-yaml.ts'

/** The dependencies of an export. */
export interface ExportParts {
  database: Pick<Database, 'read'>
  documents: Pick<DocumentFiles, 'text' | 'open'>
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
  parts: ExportParts,
  slug: string | null,
  selection: ItemSelection | null = null,
): Promise<string> {
  const { organizations, credentialNames } = await describe(parts, { slug, selection, beside: null })
  return writeYaml(organizations, credentialNames)
}

/**
 * The same, with the contents that a bundle omits: uploaded documents and long skills as files, whose paths are in the
 * bundle, and then `bundle.yaml`. A file that is no longer stored is omitted, and the head of the bundle says so.
 *
 * @throws as {@link exportBundle}, before the first file
 */
export async function exportWithFiles(
  parts: ExportParts,
  slug: string | null,
  selection: ItemSelection | null = null,
): Promise<AsyncIterable<ZipContent>> {
  const beside = new FilesBeside()
  return contents(await describe(parts, { slug, selection, beside }), beside)
}

/** {@link exportWithFiles} as a zip archive. */
export async function exportArchive(
  parts: ExportParts,
  slug: string | null,
  selection: ItemSelection | null = null,
): Promise<Readable> {
  return writeZip(await exportWithFiles(parts, slug, selection))
}

interface Described {
  organizations: BundleOrganization[]
  credentialNames: CredentialNames
}

async function describe(
  { database, box, documents }: ExportParts,
  {
    slug,
    selection,
    beside,
  }: { slug: string | null; selection: ItemSelection | null; beside: FilesBeside | null },
): Promise<Described> {
  const { read } = database
  const wholes: WholeOrganization[] = []
  for (const organization of await organizationsOf(read, slug)) {
    wholes.push(await readEverything(read, documents, organization, beside))
  }
  const names = wholes.flatMap(({ llmConfigurations }) =>
    llmConfigurations
      .filter(({ sealedCredentials }) => sealedCredentials !== null)
      .map((record) => [record.id, Object.keys(openCredentials(box, record) ?? { apiKey: '' })] as const),
  )
  const described = wholes.map(describeOrganization)
  return {
    organizations: selection ? described.map((one) => only(one, selection)) : described,
    credentialNames: new Map(names),
  }
}

async function* contents(
  { organizations, credentialNames }: Described,
  { files }: FilesBeside,
): AsyncGenerator<ZipContent> {
  const named = pathsOf(organizations)
  const missing = new Set<string>()
  for (const [path, open] of files) {
    // For a skill, the bundle contains the path of its folder.
    const place = named.has(path) ? path : path.split('/', 3).join('/')
    if (!named.has(place)) continue
    const content = await open()
    if (content === null) missing.add(place)
    else yield { path, content }
  }
  const yaml = writeYaml(withoutPaths(organizations, missing), credentialNames)
  yield { path: 'bundle.yaml', content: Buffer.from(yaml) }
}

function pathsOf(organizations: readonly BundleOrganization[]): ReadonlySet<string> {
  const paths = organizations.flatMap(({ knowledgeBases = [], skills = [] }) => [
    ...knowledgeBases.flatMap(({ documents = [] }) => documents.flatMap(({ path }) => path ?? [])),
    ...skills.flatMap(({ path }) => path ?? []),
  ])
  return new Set(paths)
}

function only(organization: BundleOrganization, selection: ItemSelection): BundleOrganization {
  const { selected, unknown } = selectItems(organization, selection)
  if (unknown.length === 0) return selected
  const errors = unknown.map((name) => ({
    path: 'include',
    message: `has ${shortened(name, 100)}, which does not exist`,
  }))
  throw invalidRequest(errors)
}

async function organizationsOf(read: Readers, slug: string | null) {
  if (slug === null) {
    return (await read.organizations.all()).toSorted((a, b) => (a.slug < b.slug ? -1 : 1))
  }
  const organization = await read.organizations.bySlug(slug)
  if (!organization) throw new DomainError('organization_not_found', 'Organization not found.')
  return [organization]
}
