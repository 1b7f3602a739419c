import type { KnipConfig } from 'knip'

/**
 * `npm run unused` runs this twice: with the tests, and with `--production`, where only the programs are entries. Then
 * an export that nothing but a test, a `testing/` folder, the test kit or a benchmark reaches is reported.
 */
const isProduction = process.argv.includes('--production')

/** What exists for tests. An entry of a package.json (`./testing/*`) that is also here is none in production. */
const TEST_ENTRIES = ['{src,test}/**/*.test.ts', 'src/**/testing/**/*.ts']
const PROJECT = ['src/**/*.ts!', '!src/**/testing/**!', '!src/**/*.test.ts!', '**/{test,testing}/**/*.ts']

/** Operations that the builder's API will call. An operation leaves this list when it gets its route. */
const WAITING_FOR_THE_BUILDER = [
  'budgets/delete-budget',
  'budgets/list-budgets',
  'budgets/set-budget',
  'members/change-member',
  'members/invite-member',
  'members/list-members',
  'members/remove-member',
  'members/withdraw-invitation',
  'teams/create-team',
  'teams/delete-team',
  'teams/get-team',
  'teams/list-team-versions',
  'teams/list-teams',
  'teams/restore-team-version',
  'teams/update-team',
]

export default {
  // A test may reach into a file that is used; with tests, values are reported when only their own file uses them.
  ignoreExportsUsedInFile: isProduction ? true : { interface: true, type: true },
  includeEntryExports: isProduction,
  ignoreBinaries: ['pg_config', 'redis-server'],
  ignoreWorkspaces: ['packages/test-kit!', 'bench!'],
  ignoreIssues: {
    ...(isProduction
      ? Object.fromEntries(
          WAITING_FOR_THE_BUILDER.map((name) => [`packages/operations/src/${name}.ts`, ['exports']]),
        )
      : {}),
    // Called by the entry points, which import it by an address that they compute.
    'apps/server/src/loading/load-program.ts': ['exports'],
    // What pages are made of. It stands before the pages that need it.
    'apps/web/src/{atoms,core,infrastructure}/**': ['exports', 'types', 'files'],
  },
  workspaces: {
    '.': {
      entry: ['test/setup/*.ts', 'examples/**/*.ts'],
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
    // The process that parses a document, and its thread.
    'packages/documents': {
      entry: ['src/child/main.ts!', 'src/child/watchdog.ts!'],
      project: PROJECT,
      vitest: { entry: TEST_ENTRIES },
    },
    'apps/server': {
      entry: [
        'src/main.js!',
        'src/loading/load-program.ts!',
        'src/start.ts!',
        'src/cli/troupe.js!',
        'src/cli/command.ts!',
        'src/prepare-first-start.ts!',
        'src/print-config.ts!',
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
    'apps/web': {
      entry: ['index.html!', 'gallery.html', 'test/gallery/main.tsx', 'ensure-built.js!'],
      // The font is named by a style sheet; the others wait for their first page.
      ignoreDependencies: [
        '@fontsource-variable/inter',
        /^@codemirror/,
        '@lezer/highlight',
        '@react-aria/optimize-locales-plugin',
        '@troupe/client',
        '@types/markdown-it',
        '@vitejs/plugin-react',
        'markdown-it',
      ],
      project: ['*.ts!', 'src/**/*.{ts,tsx}!', '!src/**/*.test.ts!', 'test/**/*.{ts,tsx}'],
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
