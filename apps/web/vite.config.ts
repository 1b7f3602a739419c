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
    operationsAsData(),
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
      input: mode === 'gallery' ? 'gallery.html' : 'index.html',
    },
  },
}))

/**
 * The browser needs the method and path of each operation and not its schemas: the module that derives this table from the
 * contract is replaced by its value.
 */
function operationsAsData(): Plugin {
  return {
    name: 'troupe-operations-as-data',
    enforce: 'pre',
    async load(id) {
      const file = id.split('?')[0] ?? id
      if (!file.endsWith('/src/infrastructure/client/operation-table.ts')) return null
      const { OPERATION_TABLE } = await import(pathToFileURL(file).href)
      return `export const OPERATION_TABLE = ${JSON.stringify(OPERATION_TABLE)}`
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
