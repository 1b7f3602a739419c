/** What a workspace may depend on: the direction of imports as data. */
export interface Layer {
  /** Other workspaces, by name. */
  workspaces: readonly string[]
  /** Outside technology, by package name; `*` stands for a part of a name. */
  technology: readonly string[]
  /** Whether it may use Node's own modules; what browsers load may not. */
  node: boolean
}

const EVERY_WORKSPACE = [
  '@troupe/contract',
  '@troupe/graph',
  '@troupe/client',
  '@troupe/turns',
  '@troupe/runtime',
  '@troupe/nodes',
  '@troupe/models',
  '@troupe/database',
  '@troupe/engine',
  '@troupe/documents',
  '@troupe/server',
  '@troupe/test-kit',
]

/** Every workspace by its folder. A new one is a new row here and a new lint zone. */
export const LAYERS: Readonly<Record<string, Layer>> = {
  'packages/contract': { workspaces: [], technology: ['typebox'], node: false },
  'packages/graph': { workspaces: ['@troupe/contract'], technology: ['typebox'], node: false },
  'packages/client': { workspaces: ['@troupe/contract'], technology: ['eventsource-parser'], node: false },
  'packages/turns': { workspaces: ['@troupe/contract'], technology: [], node: true },
  'packages/runtime': {
    workspaces: ['@troupe/contract', '@troupe/graph', '@troupe/turns'],
    technology: ['@ai-sdk/provider', '@opentelemetry/api'],
    node: true,
  },
  'packages/nodes': {
    workspaces: ['@troupe/contract', '@troupe/graph', '@troupe/runtime'],
    technology: ['re2js', 'typebox'],
    node: false,
  },
  'packages/models': {
    workspaces: ['@troupe/contract', '@troupe/runtime'],
    technology: ['@ai-sdk/*'],
    node: true,
  },
  'packages/database': {
    workspaces: ['@troupe/contract', '@troupe/runtime', '@troupe/turns'],
    technology: ['drizzle-orm', 'pg', '@electric-sql/pglite'],
    node: true,
  },
  'packages/engine': {
    workspaces: ['@troupe/turns'],
    technology: ['@restatedev/restate-sdk', '@restatedev/restate-sdk-clients'],
    node: true,
  },
  'packages/documents': {
    workspaces: [],
    technology: ['@e965/xlsx', 'mammoth', 'unpdf', 'word-extractor', 'yauzl'],
    node: true,
  },
  'packages/test-kit': {
    workspaces: EVERY_WORKSPACE.filter((name) => name !== '@troupe/test-kit'),
    technology: ['fastify', 'vitest', 'undici'],
    node: true,
  },
  'apps/server': {
    workspaces: [
      '@troupe/contract',
      '@troupe/graph',
      '@troupe/turns',
      '@troupe/runtime',
      '@troupe/nodes',
      '@troupe/models',
      '@troupe/database',
      '@troupe/engine',
      '@troupe/documents',
    ],
    technology: [
      '@fastify/multipart',
      '@node-rs/bcrypt',
      '@opentelemetry/*',
      'aws4fetch',
      'better-auth',
      'fastify',
      'fastify-plugin',
      'file-type',
      'ioredis',
      'lru-cache',
      'markdown-it',
      'nodemailer',
      'pino',
      'prom-client',
      'rate-limiter-flexible',
      'undici',
      'yaml',
    ],
    node: true,
  },
  bench: {
    workspaces: EVERY_WORKSPACE,
    technology: ['ai', '@ai-sdk/openai-compatible', '@electric-sql/pglite', 'fastify', 'pg', 'undici'],
    node: true,
  },
}

/** Packages that look at the ports only, never at what the runtime does with them. */
export const PORTS_ONLY: readonly string[] = [
  'packages/nodes',
  'packages/models',
  'packages/database',
  'packages/engine',
]

/** Whether a name is one of the patterns. */
export function matches(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  )
}
