import type { Scope } from '@troupe/agents/ports'
import type { OrganizationId } from '@troupe/contract'
import { callSchema } from '@troupe/nodes/call-input'
import type { Readers, WorkflowRunnable } from '@troupe/storage'
import type { WorkflowGraphs } from '../workflows/workflow-graphs.ts'

/** Dependencies of {@link exposedTools}. */
export interface ExposedTools {
  read: Pick<Readers, 'runnables'>
  graphs: Pick<WorkflowGraphs, 'compiled'>
}

type Runnable = Awaited<ReturnType<Readers['runnables']['exposed']>>[number]

/** An agent, a team or a workflow as a tool. */
export interface ExposedTool {
  name: string
  title: string
  description: string
  inputSchema: { type: 'object'; [keyword: string]: unknown }
}

const MESSAGE_SCHEMA: ExposedTool['inputSchema'] = {
  type: 'object',
  properties: {
    message: { type: 'string', minLength: 1, maxLength: 100_000, description: 'The task or question.' },
    session_id: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description: 'Continues a conversation: the sessionId of an earlier answer.',
    },
  },
  required: ['message'],
}

/** Short enough for clients with a limit of 64 characters, together with a part of an id. */
const NAME_CHARACTERS = 50
/** Characters from the end of an id, because its start is a timestamp. */
const SUFFIX = 8

function plainName({ name, kind }: Runnable): string {
  const words = name.toLowerCase().split(/[^a-z0-9]+/)
  const plain = words.filter((word) => word !== '').join('_')
  return plain === '' ? kind : plain.slice(0, NAME_CHARACTERS)
}

const WHAT = { agent: 'agent', team: 'team of agents', workflow: 'workflow' } as const

async function schemaOf(
  { graphs }: Pick<ExposedTools, 'graphs'>,
  organizationId: OrganizationId,
  { versionId }: WorkflowRunnable,
): Promise<ExposedTool['inputSchema']> {
  return callSchema((await graphs.compiled(organizationId, versionId))?.triggers ?? [])
}

/**
 * The runnables of the scope whose configuration has `expose: mcp`, by the names of the tools. Equal names get a part
 * of their id appended.
 */
export async function exposedRunnables(
  { read }: Pick<ExposedTools, 'read'>,
  scope: Scope,
): Promise<{ name: string; runnable: Runnable }[]> {
  const found = await read.runnables.exposed(scope)
  const namesakes = Map.groupBy(found, plainName)
  return found.map((runnable) => {
    const plain = plainName(runnable)
    const isUnique = namesakes.get(plain)?.length === 1
    return { runnable, name: isUnique ? plain : `${plain}_${runnable.id.slice(-SUFFIX)}` }
  })
}

/** The same as tools with their input schemas; reads the graph of each workflow. */
export async function exposedTools(parts: ExposedTools, scope: Scope): Promise<ExposedTool[]> {
  const exposed = await exposedRunnables(parts, scope)
  return Promise.all(
    exposed.map(async ({ name, runnable }) => ({
      name,
      title: runnable.name,
      description: runnable.description || `Runs the ${WHAT[runnable.kind]} ${runnable.name}.`,
      inputSchema:
        runnable.kind === 'workflow' ? await schemaOf(parts, scope.organizationId, runnable) : MESSAGE_SCHEMA,
    })),
  )
}
