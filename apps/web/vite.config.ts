import { pathToFileURL } from 'node:url'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Stands in the page where the server writes the nonce of the answer. */
const NONCE = '__TROUPE_NONCE__'

export default defineConfig(({ mode }) => ({
  appType: 'spa',
  clearScreen: false,
  plugins: [
    tablesAsData(),
    withoutCodeGeneration(),
    react(),
    { ...optimizeLocales.vite({ locales: ['en-US'] }), enforce: 'pre' },
  ],
  html: { cspNonce: NONCE },
  build: {
    // `light-dark()` is the newest thing that the pages need.
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    assetsDir: 'web',
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      input:
        mode === 'gallery'
          ? 'gallery.html'
          : // The second one is the script of a page of the server, `/voice/try`.
            { index: 'index.html', 'voice-try': 'src/app/voice-try/main.ts' },
      // The entry names the files of every page, and most of a name does not compress.
      output: { chunkFileNames: 'web/[hash].js' },
    },
  },
}))

/** Modules that derive small tables from the contract. */
const TABLES = ['/src/infrastructure/client/operation-table.ts', '/src/core/forms/setting-specs.ts']

/**
 * The browser needs the method and path of each operation and the limits of each setting, not their schemas: the modules
 * that derive these tables from the contract are replaced by their values.
 */
function tablesAsData(): Plugin {
  return {
    name: 'troupe-tables-as-data',
    enforce: 'pre',
    async load(id) {
      const file = id.split('?')[0] ?? id
      if (!TABLES.some((table) => file.endsWith(table))) return null
      const tables: Record<string, unknown> = await import(pathToFileURL(file).href)
      return Object.entries(tables)
        .map(([name, table]) => `export const ${name} = ${JSON.stringify(table)}`)
        .join('\n')
    },
  }
}

/** TypeBox tries `new Function` once at load, which the page's policy refuses and reports. */
function withoutCodeGeneration(): Plugin {
  return {
    name: 'troupe-without-code-generation',
    enforce: 'pre',
    load(id) {
      return id.endsWith('/typebox/build/system/environment/evaluate.mjs')
        ? 'export const CanEvaluate = () => false\nexport const Evaluate = () => { throw new Error("no code generation") }'
        : null
    },
  }
}
