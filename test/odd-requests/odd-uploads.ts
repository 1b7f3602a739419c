import { OPERATIONS, OPERATOR_OPERATIONS, type Operation, TRIGGER_OPERATIONS } from '@troupe/contract'
import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { zip } from '../../packages/documents/src/testing/zip.ts'
import { ACCESS_TABLE } from '../../packages/test-kit/src/access/access-table.ts'
import { seedForm } from '../../packages/test-kit/src/server/seed-form.ts'
import { ownOrigin, seedPerson, signIn } from '../../packages/test-kit/src/server/seed-person.ts'
import type { TestServer } from '../../packages/test-kit/src/server/start-test-server.ts'
import { ODD_JSON } from './odd-values.ts'
import type { Random } from './random.ts'
import type { Target, Upload } from './target.ts'

const BOUNDARY = 'odd-boundary'

const TEXT = { name: 'a.txt', bytes: Buffer.from('of the upload') }
const SKILL = {
  name: 'a.zip',
  bytes: zip([{ name: 'SKILL.md', data: '---\nname: odd\ndescription: Odd.\n---\nText' }]),
}
const BUNDLE = { name: 'a.zip', bytes: zip([{ name: 'bundle.yaml', data: 'version: 1\n' }]) }
const FIELDS = [{ name: 'cv', label: 'CV', type: 'file' }]

const KEYS = ['organization key', 'project key'] as const
const PEOPLE = ['owner', 'admin', 'operator'] as const

/** Every operation that takes a file in parts. */
export async function uploadTargets(server: TestServer): Promise<Target[]> {
  const { organizationId } = server.seed
  const target = (
    operation: Operation,
    given: { name?: string; url: string; callers: Target['callers']; upload: Upload },
  ): Target => ({
    ...{ name: `${operation.id} in parts`, method: operation.method, query: [], body: null },
    ...{ headersOf: () => ({}), isEndless: false },
    ...given,
  })
  const keyed = async (id: 'uploadSkill' | 'addKnowledgeDocument', file: Upload['file']) => {
    const { path } = await ACCESS_TABLE[id].own(server)
    return target(OPERATIONS[id], { url: path, callers: KEYS, upload: { textName: null, file } })
  }
  const archive = (id: 'planOrganizationBundleArchive' | 'applyOrganizationBundleArchive') =>
    target(BUILDER_OPERATIONS[id], {
      url: BUILDER_OPERATIONS[id].path.replace('{organizationId}', organizationId),
      callers: PEOPLE,
      upload: { textName: 'given', file: BUNDLE },
    })
  const form = await seedForm(server.context, { organizationId, fields: FIELDS })
  const ofForm = { callers: null, upload: { textName: null, file: TEXT } }
  return [
    await keyed('uploadSkill', SKILL),
    await keyed('addKnowledgeDocument', { name: 'a.md', bytes: Buffer.from('# Odd') }),
    archive('planOrganizationBundleArchive'),
    archive('applyOrganizationBundleArchive'),
    target(OPERATOR_OPERATIONS.applyBundleArchive, {
      url: OPERATOR_OPERATIONS.applyBundleArchive.path,
      callers: ['operator'],
      upload: { textName: null, file: BUNDLE },
    }),
    target(TRIGGER_OPERATIONS.uploadFormFile, { url: `${form.path}/upload?field=cv`, ...ofForm }),
    target(TRIGGER_OPERATIONS.uploadFormFile, {
      name: 'uploads of a test form in parts',
      url: `${await testFormPath(server, form.workflowId)}/upload?field=cv`,
      ...ofForm,
    }),
  ]
}

/** The API of the test form of a workflow's draft. */
async function testFormPath(server: TestServer, workflowId: string): Promise<string> {
  const { organizationId } = server.seed
  const person = await seedPerson(server.context.database, { organizationId, role: 'owner' })
  const { status, body } = await server.call(
    `POST /api/builder/v1/organizations/${organizationId}/workflows/${workflowId}/listeners`,
    {
      key: null,
      headers: { cookie: await signIn(server, person), origin: ownOrigin(server) },
      body: { kind: 'form' },
    },
  )
  const [, token] = /\/forms\/preview\/([\w.~-]+)/.exec(JSON.stringify(body)) ?? []
  if (token === undefined) throw new Error(`no test form: ${status} ${JSON.stringify(body)}`)
  return `/forms/preview/${token}`
}

const NAMES = [
  ...[
    '',
    '.',
    '..',
    '../x',
    '/etc/passwd',
    'C:\\x',
    'a\u0000b',
    '\u202efdp.exe',
    '\ud800',
    'x'.repeat(5_000),
  ],
  ...[
    'a.pdf',
    'a.docx',
    'a.zip',
    'a.html',
    'a.exe',
    'a;b',
    'a%00',
    '{{ trigger.body }}',
    ' ',
    '\n',
    '__proto__',
  ],
]
const BYTES: readonly (() => Buffer)[] = [
  () => Buffer.alloc(0),
  () => Buffer.from([0]),
  () => Buffer.from('%PDF-1.7\n%%EOF'),
  () => Buffer.from('PK\u0003\u0004'),
  () => Buffer.alloc(1_500_000, 'a'),
  () => Buffer.from([0xff, 0xfe, 0x00, 0xd8]),
  () => zip([]),
  () => zip([{ name: '../SKILL.md', data: 'a' }]),
  () => zip([{ name: 'SKILL.md', data: 'a', claimedSize: 4_000_000_000 }]),
  () => zip([{ name: 'bundle.yaml', data: 'a: &a [*a]' }]),
  () => zip([{ name: 'bundle.yaml', data: '- '.repeat(20_000) }]),
  () => zip(Array.from({ length: 600 }, (_, at) => ({ name: `${at}`, data: '' }))),
  () => zip([{ name: 'SKILL.md', data: '---\nname: "\\u0000"\ndescription: "\\ud800"\n---\n' }]),
]
const FIELD_NAMES = ['file', 'file', 'file', 'given', '', '__proto__', 'file[]', 'x'.repeat(2_000), '\u0000']
const TYPES = ['text/plain', 'application/zip', 'x', 'text/plain; charset=utf-99', `a/${'b'.repeat(3_000)}`]

/** A body in parts that is wrong in one or more ways, or in none. */
export function oddUpload(
  { textName, file }: Upload,
  random: Random,
): { contentType: string; payload: Buffer } {
  const isOdd = () => random.chance(0.3)
  const part = (): Buffer => {
    const bytes = isOdd() ? random.of(BYTES)() : file.bytes
    const name = isOdd() ? random.of(NAMES) : file.name
    const field = random.chance(0.1) ? random.of(FIELD_NAMES) : 'file'
    const type = random.chance(0.1) ? random.of(TYPES) : 'application/octet-stream'
    const encoded = random.chance(0.1) ? `; filename*=UTF-8''${random.of(['a', '%00', '%ff', '%', 'é'])}` : ''
    const head = `Content-Disposition: form-data; name="${field}"; filename="${name}"${encoded}\r\nContent-Type: ${type}\r\n\r\n`
    return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n')])
  }
  const text = (name: string) =>
    Buffer.from(`Content-Disposition: form-data; name="${name}"\r\n\r\n${random.of(ODD_JSON)}\r\n`)
  const parts = [
    ...(random.chance(textName === null ? 0.05 : 0.6) ? [text(textName ?? 'given')] : []),
    ...Array.from({ length: random.chance(0.9) ? 1 : random.of([0, 2, 300]) }, part),
    ...(random.chance(0.05) ? [text('after')] : []),
  ]
  const before = Buffer.from(`--${BOUNDARY}\r\n`)
  const end = random.chance(0.95) ? `--${BOUNDARY}--\r\n` : random.of(['', '--', `--${BOUNDARY}`, '\u0000'])
  const whole = Buffer.concat([...parts.flatMap((one) => [before, one]), Buffer.from(end)])
  const contentType = random.chance(0.95)
    ? `multipart/form-data; boundary=${BOUNDARY}`
    : random.of([
        'multipart/form-data',
        'multipart/form-data; boundary=',
        'multipart/mixed; boundary=a',
        'text/plain',
      ])
  return { contentType, payload: random.chance(0.97) ? whole : whole.subarray(0, whole.length >> 1) }
}
