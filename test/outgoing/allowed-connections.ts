const OPERATOR = 'the address is the operator’s: a variable of the environment, the command line'
const BROWSER =
  'it runs in browsers, which reach what their user reaches, and calls the server that the page came from'
const DEVELOPMENT = 'it runs in development and tests only'

/** Files that open connections without the guarded fetch, with the reason. */
export const ALLOWED_FILES: Readonly<Record<string, string>> = {
  'apps/server/src/ask-ready.ts': 'it asks its own server whether it is ready',
  'apps/server/src/cli/remote.ts': OPERATOR,
  'apps/web/src/app/voice-try/voice-conversation.ts': BROWSER,
  'apps/web/src/infrastructure/client/call-operation.ts': BROWSER,
  'apps/web/src/infrastructure/events/change-feed.ts': BROWSER,
  'packages/client/src/call/options.ts':
    'it is the default of the published client, whose user names the server',
  'packages/documents/src/child/forbid-connections.ts':
    'it takes every connection away from the process of a document',
  'packages/engine/src/restate/http.ts': OPERATOR,
  'packages/file-stores/src/s3-file-store.ts': OPERATOR,
  'packages/livekit/src/create-probe.ts': OPERATOR,
  'packages/media-servers/src/media-leg/main.ts': DEVELOPMENT,
  'packages/media-servers/src/media-leg/media-leg.ts': DEVELOPMENT,
  'packages/media-servers/src/servers/media-server-process.ts': DEVELOPMENT,
  'packages/media-servers/src/servers/unused-ports.ts': DEVELOPMENT,
  'packages/contract/src/voice-worker/client/send-request.ts': OPERATOR,
  'packages/safe-fetch/src/guard-process.ts': 'it is the guard of the connections of a whole process',
  'packages/safe-fetch/src/guarded-connector.ts': 'it is the guard of the connections of the guarded fetch',
  'packages/safe-fetch/src/guarded-fetch.ts': 'it is the guarded fetch',
}

/** The owner of the connections that a package opens. */
interface Kind {
  /** The reason. */
  why: string
  packages: readonly string[]
}

/** Every package that product code depends on, by its connections. Add new ones to one of the lists. */
export const PACKAGES: Readonly<
  Record<'nothing' | 'operator' | 'givenFetch' | 'guardedProcess' | 'browser', Kind>
> = {
  nothing: {
    why: 'it opens no connection as it is used here',
    packages: [
      '@ai-sdk/provider',
      '@e965/xlsx',
      '@electric-sql/pglite',
      '@electric-sql/pglite-pgvector',
      '@fastify/multipart',
      '@fontsource-variable/geist-mono',
      '@fontsource-variable/inter',
      '@jitl/quickjs-wasmfile-release-sync',
      '@livekit/throws-transformer',
      '@modelcontextprotocol/sdk',
      '@node-rs/bcrypt',
      '@opentelemetry/api',
      '@watchable/unpromise',
      'better-auth',
      'bowser',
      'chardet',
      'drizzle-orm',
      'esbuild',
      'eventsource-parser',
      'expr-eval-fork',
      'fast-json-stringify',
      'fastify',
      'file-type',
      'htmlparser2',
      'libphonenumber-js',
      'lru-cache',
      'markdown-it',
      'pino',
      'prom-client',
      'quickjs-emscripten-core',
      're2js',
      'saxes',
      'typebox',
      'unpdf',
      'uuidv7',
      'yaml',
      'yauzl',
      'yazl',
    ],
  },
  operator: {
    why: 'it connects to a service that the operator names',
    packages: [
      '@livekit/rtc-node',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/sdk-node',
      '@restatedev/restate-sdk',
      '@restatedev/restate-sdk-clients',
      'aws4fetch',
      'ioredis',
      'livekit-server-sdk',
      'nodemailer',
      'pg',
      'rate-limiter-flexible',
      'undici',
    ],
  },
  givenFetch: {
    why: 'it takes a fetch, and test/outgoing-requests.test.ts holds that it gets one',
    packages: [
      '@ai-sdk/amazon-bedrock',
      '@ai-sdk/anthropic',
      '@ai-sdk/azure',
      '@ai-sdk/google',
      '@ai-sdk/groq',
      '@ai-sdk/mistral',
      '@ai-sdk/openai',
      '@ai-sdk/openai-compatible',
      '@ai-sdk/xai',
    ],
  },
  guardedProcess: {
    why: 'it takes neither a fetch nor a connector for its web sockets, so its process is guarded (apps/voice-worker/src/job/entry.ts)',
    packages: [
      '@livekit/agents',
      '@livekit/agents-plugin-deepgram',
      '@livekit/agents-plugin-elevenlabs',
      '@livekit/agents-plugin-google',
      '@livekit/agents-plugin-openai',
    ],
  },
  browser: { why: BROWSER, packages: [] },
}

/** Workspaces whose packages are not checked, with the reason. */
export const OTHER_WORKSPACES: Readonly<Record<string, string>> = {
  'apps/web': BROWSER,
  'packages/media-servers': DEVELOPMENT,
  'packages/test-kit': DEVELOPMENT,
  bench: DEVELOPMENT,
}
