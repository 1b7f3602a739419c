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
  '@troupe/json-schema',
  '@troupe/knowledge',
  '@troupe/skills',
  '@troupe/graph',
  '@troupe/client',
  '@troupe/turns',
  '@troupe/agents',
  '@troupe/workflows',
  '@troupe/nodes',
  '@troupe/models',
  '@troupe/tools',
  '@troupe/guardrails',
  '@troupe/sql',
  '@troupe/turn-rows',
  '@troupe/tables',
  '@troupe/ledger',
  '@troupe/observation',
  '@troupe/builder-rows',
  '@troupe/database',
  '@troupe/engine',
  '@troupe/documents',
  '@troupe/secrets',
  '@troupe/rate-limits',
  '@troupe/outgoing',
  '@troupe/mail',
  '@troupe/html',
  '@troupe/openapi',
  '@troupe/openai-protocol',
  '@troupe/mcp-server',
  '@troupe/file-stores',
  '@troupe/operations',
  '@troupe/builder-contract',
  '@troupe/builder',
  '@troupe/pages',
  '@troupe/bundles',
  '@troupe/server',
  '@troupe/test-kit',
]

/** Every workspace by its folder. A new one is a new row here and a new lint zone. */
export const LAYERS: Readonly<Record<string, Layer>> = {
  'packages/contract': { workspaces: [], technology: ['typebox'], node: false },
  'packages/graph': { workspaces: ['@troupe/contract'], technology: ['typebox'], node: false },
  'packages/json-schema': { workspaces: ['@troupe/contract'], technology: ['re2js', 'typebox'], node: false },
  'packages/knowledge': { workspaces: [], technology: [], node: false },
  'packages/skills': { workspaces: ['@troupe/contract'], technology: ['yaml'], node: false },
  'packages/client': { workspaces: ['@troupe/contract'], technology: ['eventsource-parser'], node: false },
  'packages/turns': { workspaces: ['@troupe/contract'], technology: [], node: true },
  'packages/agents': {
    workspaces: ['@troupe/contract', '@troupe/json-schema', '@troupe/knowledge', '@troupe/turns'],
    technology: ['@ai-sdk/provider'],
    node: true,
  },
  'packages/workflows': {
    workspaces: ['@troupe/contract', '@troupe/graph', '@troupe/turns', '@troupe/agents'],
    technology: ['@ai-sdk/provider'],
    node: true,
  },
  'packages/nodes': {
    workspaces: ['@troupe/contract', '@troupe/json-schema', '@troupe/graph', '@troupe/workflows'],
    technology: ['typebox'],
    node: false,
  },
  'packages/models': {
    workspaces: ['@troupe/contract', '@troupe/agents'],
    technology: ['@ai-sdk/*'],
    node: true,
  },
  'packages/tools': {
    workspaces: ['@troupe/contract', '@troupe/json-schema', '@troupe/knowledge', '@troupe/agents'],
    technology: [
      'expr-eval-fork',
      '@jitl/quickjs-wasmfile-release-sync',
      '@modelcontextprotocol/sdk',
      'quickjs-emscripten-core',
      'yaml',
    ],
    node: true,
  },
  'packages/guardrails': {
    workspaces: ['@troupe/contract', '@troupe/json-schema', '@troupe/agents'],
    technology: [],
    node: true,
  },
  'packages/sql': {
    workspaces: [],
    technology: ['pg', '@electric-sql/pglite', '@electric-sql/pglite-pgvector'],
    node: true,
  },
  'packages/turn-rows': { workspaces: ['@troupe/turns', '@troupe/sql'], technology: [], node: false },
  'packages/ledger': {
    workspaces: ['@troupe/contract', '@troupe/agents', '@troupe/sql'],
    technology: [],
    node: false,
  },
  'packages/observation': {
    workspaces: ['@troupe/contract', '@troupe/agents', '@troupe/workflows', '@troupe/sql'],
    technology: [],
    node: false,
  },
  'packages/builder-rows': { workspaces: ['@troupe/contract', '@troupe/sql'], technology: [], node: false },
  'packages/tables': {
    workspaces: ['@troupe/contract', '@troupe/agents', '@troupe/sql'],
    technology: ['drizzle-orm'],
    node: false,
  },
  'packages/database': {
    workspaces: [
      '@troupe/contract',
      '@troupe/turns',
      '@troupe/agents',
      '@troupe/workflows',
      '@troupe/sql',
      '@troupe/tables',
      '@troupe/turn-rows',
      '@troupe/ledger',
      '@troupe/observation',
      '@troupe/builder-rows',
    ],
    technology: ['drizzle-orm'],
    node: true,
  },
  'packages/engine': {
    workspaces: ['@troupe/turns'],
    technology: ['@restatedev/restate-sdk', '@restatedev/restate-sdk-clients'],
    node: true,
  },
  'packages/documents': {
    workspaces: [],
    technology: ['@e965/xlsx', 'file-type', 'mammoth', 'unpdf', 'word-extractor', 'yauzl'],
    node: true,
  },
  'packages/secrets': {
    workspaces: ['@troupe/turns', '@troupe/rate-limits'],
    technology: ['@node-rs/bcrypt'],
    node: true,
  },
  'packages/rate-limits': {
    workspaces: ['@troupe/contract'],
    technology: ['ioredis', 'rate-limiter-flexible'],
    node: true,
  },
  'packages/outgoing': { workspaces: [], technology: ['undici'], node: true },
  'packages/mail': { workspaces: [], technology: ['nodemailer'], node: true },
  'packages/html': { workspaces: [], technology: ['markdown-it'], node: true },
  'packages/builder-contract': {
    workspaces: ['@troupe/contract'],
    technology: ['typebox'],
    node: false,
  },
  'packages/openapi': {
    workspaces: ['@troupe/contract', '@troupe/builder-contract'],
    technology: ['typebox'],
    node: false,
  },
  'packages/openai-protocol': { workspaces: ['@troupe/contract'], technology: ['typebox'], node: false },
  'packages/mcp-server': {
    workspaces: ['@troupe/contract'],
    technology: ['@modelcontextprotocol/sdk'],
    node: false,
  },
  'packages/file-stores': {
    workspaces: ['@troupe/secrets'],
    technology: ['aws4fetch', 'undici'],
    node: true,
  },
  'packages/operations': {
    workspaces: [
      '@troupe/contract',
      '@troupe/json-schema',
      '@troupe/graph',
      '@troupe/turns',
      '@troupe/agents',
      '@troupe/workflows',
      '@troupe/nodes',
      '@troupe/database',
      '@troupe/documents',
      '@troupe/tools',
      '@troupe/knowledge',
      '@troupe/skills',
      '@troupe/file-stores',
      '@troupe/secrets',
      '@troupe/rate-limits',
      '@troupe/mail',
    ],
    technology: ['lru-cache'],
    node: true,
  },
  'packages/builder': {
    workspaces: [
      '@troupe/contract',
      '@troupe/builder-contract',
      '@troupe/graph',
      '@troupe/turns',
      '@troupe/agents',
      '@troupe/workflows',
      '@troupe/nodes',
      '@troupe/models',
      '@troupe/database',
      '@troupe/mail',
      '@troupe/secrets',
      '@troupe/bundles',
      '@troupe/operations',
    ],
    technology: [],
    node: true,
  },
  'packages/pages': {
    workspaces: [
      '@troupe/contract',
      '@troupe/workflows',
      '@troupe/nodes',
      '@troupe/html',
      '@troupe/operations',
      '@troupe/secrets',
    ],
    technology: [],
    node: true,
  },
  'packages/bundles': {
    workspaces: [
      '@troupe/contract',
      '@troupe/graph',
      '@troupe/agents',
      '@troupe/nodes',
      '@troupe/models',
      '@troupe/database',
      '@troupe/secrets',
      '@troupe/operations',
    ],
    technology: ['yaml'],
    node: true,
  },
  'packages/test-kit': {
    workspaces: EVERY_WORKSPACE.filter(
      (name) => !/test-kit|openapi|openai|mcp|pages|sql|tables|knowledge|skills/.test(name),
    ),
    technology: ['fastify', 'vitest', 'undici'],
    node: true,
  },
  'apps/server': {
    workspaces: EVERY_WORKSPACE.filter(
      (name) => !/client|\/server|test-kit|sql|tables|knowledge|skills/.test(name),
    ),
    technology: [
      '@fastify/multipart',
      '@opentelemetry/*',
      'better-auth',
      'esbuild',
      'fastify',
      'fastify-plugin',
      'lru-cache',
      'pino',
      'prom-client',
    ],
    node: true,
  },
  'apps/web': {
    workspaces: [
      '@troupe/contract',
      '@troupe/builder-contract',
      '@troupe/client',
      '@troupe/graph',
      '@troupe/nodes',
      '@troupe/json-schema',
    ],
    technology: [
      '@codemirror/*',
      '@fontsource-variable/inter',
      '@lezer/highlight',
      '@react-aria/optimize-locales-plugin',
      '@tanstack/*',
      '@vitejs/plugin-react',
      'lucide-react',
      'markdown-it',
      'react',
      'react-aria-components',
      'react-dom',
      'vite',
    ],
    node: false,
  },
  bench: {
    workspaces: EVERY_WORKSPACE,
    technology: ['ai', '@ai-sdk/openai-compatible', '@electric-sql/pglite', 'fastify', 'pg', 'undici'],
    node: true,
  },
}

/** Packages that import the ports of agents and workflows only, never what implements a run. */
export const PORTS_ONLY: readonly string[] = [
  'packages/nodes',
  'packages/models',
  'packages/tools',
  'packages/guardrails',
  'packages/observation',
  'packages/database',
  'packages/engine',
  'packages/bundles',
]

/** Whether a name is one of the patterns. */
export function matches(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  )
}
