import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { idCasts, plainIds } from './plain-ids.ts'
import { ROOT, sourcesBelow, workspaces } from './sources.ts'

// An id of ours has the type of its kind, `RunId`, or `IdText<RunId>` until it is parsed. A text that is named as an id is here, with the
// reason why it has no kind. Decision: docs/decisions/2026-11-30-ids-are-parsed-and-created-by-kind.md

const IN_DRAFT = 'of a part of a draft: any text that its author or the editor chooses'
const OF_MODEL = 'of a model provider'
const OF_MEDIA = 'of the media server or a carrier'
const IN_RUN = 'of a part of a run or its plan, unique in it only'
const OF_HTML = 'of an element of a page'
const OF_WORD = 'of a part of a Word file'
const ANY_KIND = 'of an entity whose kind a value beside it names'
const OF_PROGRAM = 'of a process or a request, for operators'
const OF_CALLER = 'any text of the caller: `user_id` and `session_id` of the public API'

/** Why ids of this name are texts, everywhere. */
const FOREIGN: Readonly<Record<string, string>> = {
  accessKeyId: 'of an S3 server',
  activeId: OF_HTML,
  actorId: ANY_KIND,
  appliedChangeIds: IN_DRAFT,
  asideId: IN_RUN,
  callerId: 'a phone number',
  categoryId: IN_DRAFT,
  changeId: IN_DRAFT,
  changeIds: IN_DRAFT,
  criterionIds: IN_RUN,
  dispatchId: OF_MEDIA,
  edgeId: IN_DRAFT,
  embeddingModelId: OF_MODEL,
  entityId: ANY_KIND,
  firedNodeId: IN_DRAFT,
  firstId: IN_DRAFT,
  formerDispatchId: OF_MEDIA,
  formerId: IN_DRAFT,
  invocationId: 'of Restate',
  itemId: OF_MEDIA,
  labelId: OF_HTML,
  lastEventId: 'of an MCP server',
  listId: OF_HTML,
  lkTrunkId: OF_MEDIA,
  loopId: IN_DRAFT,
  mediaTrunkId: OF_MEDIA,
  messageId: IN_RUN,
  modelId: OF_MODEL,
  modelIds: OF_MODEL,
  model_id: OF_MODEL,
  nextModelId: OF_MODEL,
  nodeId: IN_DRAFT,
  nodeIds: IN_DRAFT,
  noteIds: IN_DRAFT,
  notesId: OF_HTML,
  numId: OF_WORD,
  openedId: 'of a row of any list',
  operationId: 'the name of an operation of the contract',
  otherId: IN_DRAFT,
  ownerUserId: OF_CALLER,
  participantId: OF_MEDIA,
  requestId: OF_PROGRAM,
  secondId: IN_DRAFT,
  sipCallId: OF_MEDIA,
  stationId: 'of a place in the diagram of a team',
  stepId: IN_DRAFT,
  stepIds: IN_DRAFT,
  styleId: OF_WORD,
  taskId: IN_RUN,
  thingId: ANY_KIND,
  toolCallId: OF_MODEL,
  triggerId: IN_DRAFT,
  triggerNodeId: IN_DRAFT,
  workerId: OF_PROGRAM,
}

/** Why ids of this name are texts below these paths; elsewhere they have a kind. */
const FOREIGN_HERE: readonly { name: string; why: string; below: readonly string[] }[] = [
  {
    name: 'userId',
    why: OF_CALLER,
    below: [
      'apps/web/src/features/agents/editor/',
      'apps/web/src/parts/memories/',
      'apps/web/src/parts/playground/',
      'packages/agents/',
      'packages/http/src/openai-protocol/',
      'packages/nodes/src/execution/',
      'packages/operations/src/memories/',
      'packages/storage/src/memories/',
      'packages/storage/src/run-explorer/',
      'packages/storage/src/sessions/',
      'packages/workflows/src/ports/node-handler.ts',
    ],
  },
  {
    name: 'sessionId',
    why: OF_CALLER,
    below: [
      'apps/web/src/core/runs/',
      'apps/web/src/features/agents/editor/',
      'apps/web/src/features/teams/prompts/',
      'apps/web/src/parts/playground/',
      'packages/agents/',
      'packages/nodes/src/execution/',
      'packages/operations/src/prompts/',
      'packages/operations/src/sessions/',
      'packages/storage/src/run-explorer/',
      'packages/storage/src/sessions/',
      'packages/workflows/src/ports/node-handler.ts',
    ],
  },
  { name: 'sessionId', why: 'of an MCP server', below: ['packages/tools/src/mcp/client/'] },
  {
    name: 'parentId',
    why: IN_DRAFT,
    below: [
      'apps/web/src/core/map/',
      'apps/web/src/core/workflows/templates/',
      'packages/bundles/src/foreign/',
      'packages/editor/',
      'packages/graph/',
      'packages/test-kit/',
    ],
  },
  {
    name: 'parentId',
    why: ANY_KIND,
    below: ['apps/web/src/core/url/', 'packages/storage/src/run-explorer/'],
  },
  { name: 'user_id', why: OF_CALLER, below: ['apps/web/src/parts/playground/'] },
  {
    name: 'providerId',
    why: 'the key of a provider of models or of speech',
    below: ['apps/web/src/parts/provider-tile/'],
  },
  { name: 'parentIds', why: IN_DRAFT, below: ['packages/editor/'] },
  { name: 'newId', why: IN_DRAFT, below: ['packages/editor/'] },
  { name: 'callId', why: OF_MODEL, below: ['packages/storage/src/sessions/'] },
  { name: 'callId', why: OF_MEDIA, below: ['packages/media-servers/'] },
  {
    name: 'organizationId',
    why: 'the owner of heavy work, which knows no kinds of owners',
    below: ['packages/documents/src/extractor/'],
  },
  { name: 'innerId', why: 'of a part of the path of an operation', below: ['packages/client/'] },
]

const why = (name: string, path: string): string | undefined =>
  FOREIGN[name] ??
  FOREIGN_HERE.find((one) => one.name === name && one.below.some((folder) => path.startsWith(folder)))?.why

const everything = [
  ...workspaces().flatMap(({ sources }) => sources),
  ...sourcesBelow('test'),
  ...sourcesBelow('examples'),
]
const product = everything.filter(
  ({ path, isTest, isTool }) => /^(?:packages|apps)\//.test(path) && !isTest && !isTool,
)
const IDS = 'packages/contract/src/schema/ids.ts'
const ID_TYPES = new Set(
  [...readFileSync(join(ROOT, IDS), 'utf8').matchAll(/^export type (\w+) = Id</gm)].map(
    ([, name = '']) => name,
  ),
)

/** Parsing every test takes seconds, and few have a cast to an id. */
const MAY_CAST = /\bas\s[^;]{0,120}?Id\b/

const found = product.flatMap(({ path, text }) => plainIds(path, text).map((plain) => ({ ...plain, path })))

test('an id of ours has the type of its kind', () => {
  const plain = found.filter(({ name, path }) => why(name, path) === undefined)
  expect(
    plain.map(({ name, path, line }) => `${path}:${line} ${name}`),
    'declare its kind, `RunId` or `IdText<RunId>`, or the reason why it has none',
  ).toEqual([])
})

test('a name of a foreign id is used', () => {
  const isUsed = (name: string, below = '') =>
    found.some((one) => one.name === name && one.path.startsWith(below))
  const unused = Object.keys(FOREIGN).filter((name) => !isUsed(name))
  const unusedHere = FOREIGN_HERE.flatMap(({ name, below }) =>
    below.filter((folder) => !isUsed(name, folder)).map((folder) => `${name} below ${folder}`),
  )
  expect([...unused, ...unusedHere]).toEqual([])
})

test('no text is cast to an id, also in tests: parseId, checkedId and newId', () => {
  expect(ID_TYPES.size).toBeGreaterThan(40)
  const casts = everything
    .filter(({ path, text }) => path !== IDS && MAY_CAST.test(text))
    .flatMap(({ path, text }) =>
      idCasts(path, text, ID_TYPES).map(({ name, line }) => `${path}:${line} as ${name}`),
    )
  expect(casts).toEqual([])
})

test('a plain id is found wherever a text is declared', () => {
  const source = `
    interface Row { runId: string; projectId: string | null; teamId?: string; name: string; agentId: AgentId }
    type Ids = readonly [leadId: string, memberIds: readonly string[]]
    function find(workflowId: string, { skillId }: { skillId: string }, asked: (userId: string) => void) {}
    class Held { readonly #keyId: string = ''; baseIds = new Set<string>(); setIds: ReadonlySet<string> = this.baseIds }
    const body: { agent_id?: string } = {}
  `
  expect(plainIds('a.ts', source).map(({ name, line }) => `${line} ${name}`)).toEqual([
    '2 runId',
    '2 projectId',
    '2 teamId',
    '3 leadId',
    '3 memberIds',
    '4 workflowId',
    '4 skillId',
    '4 userId',
    '5 keyId',
    '5 setIds',
    '6 agent_id',
  ])
})

test('a cast to an id is found in lists, unions, tuples and fields of rows', () => {
  const source = `
    const a = text as RunId
    const b = [text] as readonly RunId[]
    const c = (text ?? null) as AgentId | null
    const d = texts as [AgentId, RunId]
    const e = text as string as Row['keyId']
    const f = body as { runId: RunId }
    const g = row as Row['name']
  `
  expect(
    idCasts('a.ts', source, new Set(['RunId', 'AgentId'])).map(({ name, line }) => `${line} ${name}`),
  ).toEqual(['2 RunId', '3 RunId', '4 AgentId', '5 AgentId', '5 RunId', '6 keyId'])
})
