import type { Workspace } from './sources.ts'

/** A floor of the house: packages of the same kind, which import their own floor and the floors below. */
export interface Floor {
  name: string
  /** Its packages, in one sentence. */
  meaning: string
  /** The libraries that its packages may depend on; null for any. */
  libraries: readonly string[] | null
}

/** From the ground up. Each package.json names its floor as `troupe.floor`, with ordinary dependencies. */
export const FLOORS: readonly Floor[] = [
  {
    name: 'pure',
    meaning: 'data and computation without clock, network, disk or Node, for server and builder alike',
    libraries: ['htmlparser2', 're2js', 'typebox', 'yaml'],
  },
  {
    name: 'runs',
    meaning: 'runs of agents, teams, workflows and voice sessions, with a port where they need the outside',
    libraries: ['@ai-sdk/provider', 'libphonenumber-js', 'typebox'],
  },
  {
    name: 'adapters',
    meaning: 'one outside technology or protocol each, behind the ports of the domain',
    libraries: null,
  },
  {
    name: 'operations',
    meaning: 'authorise, load, act, audit; without HTTP',
    libraries: ['yaml', 'lru-cache'],
  },
  {
    name: 'doors',
    meaning: 'protocols and pages in front of the operations',
    libraries: null,
  },
  {
    name: 'programs',
    meaning: 'wiring, routes, boot, and the builder’s pages',
    libraries: null,
  },
  {
    name: 'tests',
    meaning: 'packages that only tests and benchmarks use',
    libraries: null,
  },
]

/**
 * The libraries that several workspaces depend on. Every other library has one home, whose adapter hides it; `bench` compares the
 * product with libraries that it uses directly.
 */
export const SHARED_LIBRARIES: readonly string[] = [
  '@ai-sdk/provider',
  '@fontsource-variable/geist-mono',
  '@fontsource-variable/inter',
  '@livekit/rtc-node',
  '@opentelemetry/api',
  'eventsource-parser',
  'fastify',
  'ioredis',
  'livekit-server-sdk',
  'lru-cache',
  'markdown-it',
  'pino',
  'typebox',
  'undici',
  'yaml',
]

/** The floor of a workspace, as its index in `FLOORS`; -1 if its package.json names none. */
export function floorOf({ manifest }: Pick<Workspace, 'manifest'>): number {
  return FLOORS.findIndex(({ name }) => name === manifest.troupe?.floor)
}

/** The tables of packages in ARCHITECTURE.md, from the programs to the ground; tests come last. */
export function packageTables(all: readonly Workspace[]): string {
  const tables = FLOORS.map(({ name, meaning }, floor) => {
    const rows = all
      .filter((workspace) => floorOf(workspace) === floor)
      .map(
        ({ folder, manifest: { description, troupe } }) =>
          `| \`${folder}\` | ${description} | ${troupe?.startAt} |`,
      )
    return [
      `### ${name.charAt(0).toUpperCase()}${name.slice(1)}: ${meaning}`,
      '',
      '| Folder | Contents | Start reading at |',
      '|---|---|---|',
      ...rows,
    ].join('\n')
  })
  return [...tables.slice(0, -1).reverse(), ...tables.slice(-1)].join('\n\n')
}

/** The text between two marks of ARCHITECTURE.md. */
export const TABLES_BEGIN = '<!-- Written by `npm run generate:architecture` from each package.json. -->'
export const TABLES_END = '<!-- End of the tables. -->'
