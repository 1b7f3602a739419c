import type { KnipConfig } from 'knip'

/**
 * `npm run unused` runs this twice: with the tests, and with `--production`, where only the programs are entries. Then
 * an export that nothing but a test, a `testing/` folder, the test kit or a benchmark reaches is reported.
 */
const isProduction = process.argv.includes('--production')

/** What exists for tests. An entry of a package.json (`./testing/*`) that is also here is none in production. */
const TEST_ENTRIES = ['{src,test}/**/*.test.ts', 'src/**/testing/**/*.ts']
const PROJECT = ['src/**/*.ts!', '!src/**/testing/**!', '!src/**/*.test.ts!', '**/{test,testing}/**/*.ts']

export default {
  // A test may reach into a file that is used; with tests, values are reported when only their own file uses them.
  ignoreExportsUsedInFile: isProduction ? true : { interface: true, type: true },
  includeEntryExports: isProduction,
  ignoreBinaries: [
    ...['caddy', 'go', 'ldd', 'mount', 'nginx', 'openssl', 'pg_config', 'redis-server'],
    ...['runsv', 'sipp', 'sv', 'umount', 'unshare'],
  ],
  ignoreWorkspaces: ['packages/test-kit!', 'packages/media-servers!', 'bench!'],
  ignoreIssues: {
    // Called by the entry points, which import it by an address that they compute.
    'apps/server/src/loading/load-program.ts': ['exports'],
    // LiveKit's agents import the program of a job by its path.
    'apps/voice-worker/src/job/entry.ts': ['exports'],
    // The check compares every statement of the program with the migrated schema.
    'packages/storage/src/sql/client/statement.ts': ['exports'],
    // Parts that the editors and the playground will use.
    'apps/web/src/{atoms,core,infrastructure}/**': ['exports', 'types', 'files'],
    // Commands that only the canvas has, its clipboard, and when it saves. The property tests of the core hold them.
    'packages/editor/src/{clipboard,commands,sync}/**': ['exports', 'files'],
  },
  workspaces: {
    '.': {
      // The MCP conformance suite starts the client by its path.
      entry: ['test/setup/*.ts', 'test/mcp/client.ts', 'examples/**/*.ts'],
      project: ['test/**/*.ts', 'examples/**/*.ts', '*.ts'],
    },
    'packages/*': { project: PROJECT, vitest: { entry: TEST_ENTRIES } },
    // Only types of the AI SDK: there is nothing left of the import when the program runs.
    'packages/agents': {
      project: PROJECT,
      vitest: { entry: TEST_ENTRIES },
      ignoreDependencies: isProduction ? ['@ai-sdk/provider'] : [],
    },
    'packages/workflows': {
      project: PROJECT,
      vitest: { entry: TEST_ENTRIES },
      ignoreDependencies: isProduction ? ['@ai-sdk/provider'] : [],
    },
    // Its exports are for the programs of others.
    'packages/client': {
      project: PROJECT,
      includeEntryExports: false,
      vitest: { entry: TEST_ENTRIES },
    },
    // The thread in every process that parses.
    'packages/heavy-work': {
      entry: ['src/process/watchdog.ts!'],
      project: PROJECT,
      vitest: { entry: TEST_ENTRIES },
    },
    // The process that parses a document.
    'packages/documents': {
      entry: ['src/child/main.ts!'],
      project: PROJECT,
      vitest: { entry: TEST_ENTRIES },
    },
    // The media leg is a process of its own, and so is the command that starts everything.
    'packages/media-servers': {
      entry: ['src/media-leg/main.ts!', 'src/development/build.ts!', 'src/development/main.ts!'],
      project: PROJECT,
      vitest: { entry: TEST_ENTRIES },
    },
    // Only the type of a logger.
    'packages/http': {
      project: PROJECT,
      vitest: { entry: TEST_ENTRIES },
      ignoreDependencies: isProduction ? ['pino'] : [],
    },
    'apps/server': {
      // Only types: packages/http makes the servers, packages/telemetry the logger.
      ignoreDependencies: isProduction ? ['fastify', 'pino'] : [],
      entry: [
        'src/main.js!',
        'src/loading/load-program.ts!',
        'src/start.ts!',
        'src/cli/troupe.js!',
        'src/cli/command.ts!',
        'src/prepare-first-start.ts!',
        'src/print-config.ts!',
        'src/ask-ready.ts!',
      ],
      project: PROJECT,
      // `src/index.ts` starts a server in the process of a test or a benchmark.
      // Processes of the load test, forked by their paths.
      vitest: {
        entry: [
          ...TEST_ENTRIES,
          'src/index.ts',
          'test/hostile-load/attacker.ts',
          'test/hostile-load/health-probe.ts',
        ],
      },
    },
    // The program of a job's child process is imported by its path.
    'apps/voice-worker': {
      entry: ['src/main.ts!', 'src/job/entry.ts!'],
      project: PROJECT,
      vitest: { entry: TEST_ENTRIES },
    },
    'apps/web': {
      entry: [
        'index.html!',
        'gallery.html',
        'test/gallery/main.tsx',
        'ensure-built.js!',
        'build-in-child.ts!',
      ],
      // A style sheet names the font, and the build its plugins.
      ignoreDependencies: [
        '@fontsource-variable/geist-mono',
        '@fontsource-variable/inter',
        '@react-aria/optimize-locales-plugin',
        '@vitejs/plugin-react',
      ],
      project: ['*.ts!', 'src/**/*.{ts,tsx}!', '!src/**/*.test.ts!', 'test/**/*.{ts,tsx}'],
      vitest: { entry: TEST_ENTRIES },
    },
    'packages/server-html': {
      // The typefaces are read as files.
      ignoreDependencies: ['@fontsource-variable/geist-mono', '@fontsource-variable/inter'],
      project: PROJECT,
      vitest: { entry: TEST_ENTRIES },
    },
    bench: {
      entry: [
        'src/targets/bare-route.ts',
        'src/targets/bare-webhook.ts',
        'src/targets/bare-workflow.ts',
        'src/targets/model-server.ts',
        'src/targets/tool-server.ts',
      ],
      project: ['src/**/*.ts'],
    },
  },
} satisfies KnipConfig
