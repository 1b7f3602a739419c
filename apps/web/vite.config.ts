import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Placeholder in the page for the nonce of each response. */
const NONCE = '__TROUPE_NONCE__'

export default defineConfig(({ mode }) => ({
  appType: 'spa',
  clearScreen: false,
  plugins: [
    tablesAsData(),
    iconsByFile(),
    withoutCodeGeneration(),
    react(),
    { ...optimizeLocales.vite({ locales: ['en-US'] }), enforce: 'pre' },
  ],
  html: { cspNonce: NONCE },
  worker: {
    format: 'es',
    // Workers are built with plugins of their own.
    plugins: () => [withoutCodeGeneration()],
    // The server knows the script of a worker, which obeys a policy of its own, by its name.
    rolldownOptions: { output: { entryFileNames: 'web/worker-[hash].js' } },
  },
  build: {
    // `light-dark()` is the newest feature that the pages need.
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
const TABLES = /\/src\/(?:infrastructure\/client\/operation-table|core\/forms\/setting-specs)\.ts(?:\?|$)/

/**
 * The browser needs the method and path of each operation and the limits of each setting, not their schemas: the modules
 * that derive these tables from the contract are replaced by their values.
 */
function tablesAsData(): Plugin {
  return {
    name: 'troupe-tables-as-data',
    enforce: 'pre',
    load: {
      filter: { id: TABLES },
      async handler(id) {
        const tables: Record<string, unknown> = await import(pathToFileURL(id.split('?')[0] ?? id).href)
        return Object.entries(tables)
          .map(([name, table]) => `export const ${name} = ${JSON.stringify(table)}`)
          .join('\n')
      },
    },
  }
}

/** Imports of icons. */
const ICONS = /import \{([^}]*)\} from 'lucide-react'/g

/**
 * Icons are imported from their own files: the package's index imports 2,000, which the bundler would read and hold in memory before it
 * leaves most of them out.
 */
function iconsByFile(): Plugin {
  const files = iconFiles()
  const importOf = (item: string) => {
    // `import { type X }` alone would still import the module.
    if (item.startsWith('type ')) return `import type { ${item.slice(5)} } from 'lucide-react'`
    const [name = '', local = name] = item.split(/\s+as\s+/)
    const file = files.get(name)
    return file === undefined
      ? `import { ${item} } from 'lucide-react'`
      : `import ${local} from 'lucide-react/icons/${file}'`
  }
  return {
    name: 'troupe-icons-by-file',
    enforce: 'pre',
    transform: {
      filter: { id: /\/apps\/web\/(?:src|test)\/[^?]*\.tsx?$/, code: "from 'lucide-react'" },
      handler: (code) =>
        code.replace(ICONS, (_, items: string) =>
          items
            .split(',')
            .map((item) => item.trim())
            .filter(Boolean)
            .map(importOf)
            .join('; '),
        ),
    },
  }
}

/** The file of every icon, by each of its names. */
function iconFiles(): Map<string, string> {
  const index = readFileSync(
    fileURLToPath(import.meta.resolve('lucide-react/icons/x')).replace(/icons\/x\.mjs$/, 'lucide-react.mjs'),
    'utf8',
  )
  const exported = [...index.matchAll(/export \{([^}]*)\} from '\.\/icons\/([\w-]+)\.mjs'/g)]
  return new Map(
    exported.flatMap(([, names = '', file = '']) =>
      [...names.matchAll(/default as (\w+)/g)].map(([, name = '']): [string, string] => [name, file]),
    ),
  )
}

/** TypeBox tries `new Function` once at load, which the page's policy refuses and reports. */
function withoutCodeGeneration(): Plugin {
  return {
    name: 'troupe-without-code-generation',
    enforce: 'pre',
    load: {
      filter: { id: /\/typebox\/build\/system\/environment\/evaluate\.mjs$/ },
      handler: () =>
        'export const CanEvaluate = () => false\nexport const Evaluate = () => { throw new Error("no code generation") }',
    },
  }
}
