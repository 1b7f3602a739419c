import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
}

/** A file of the built app. Its name contains a hash of its content. */
export interface WebFile {
  path: string
  type: string
  /** The precompressed encodings beside it. */
  encodings: readonly ('br' | 'gzip')[]
  /** Whether it is the script of a worker, which obeys the policy of its own response. */
  isWorker: boolean
}

/** The data of the built app that the server reads at startup. */
export interface WebBuild {
  /** Identifies the build; sent as `X-Troupe-Build`. */
  id: string
  /** `index.html` with placeholders. */
  template: string
  files: ReadonlyMap<string, WebFile>
}

/** The reason for a missing build, in one line. */
export interface NoWebBuild {
  failure: string
}

/** Reads the output of `npm run build:web` in a folder. A missing or failed build is a value: the API works without it. */
export function readWebBuild(folder: string): WebBuild | NoWebBuild {
  try {
    const { hash, failure } = JSON.parse(readFileSync(join(folder, 'build.json'), 'utf8'))
    if (typeof failure === 'string') return { failure }
    const names = new Set(readdirSync(join(folder, 'web')))
    const files = [...names].filter((name) => !/\.(br|gz)$/.test(name))
    return {
      id: String(hash).slice(0, 16),
      template: readFileSync(join(folder, 'index.html'), 'utf8'),
      files: new Map(files.map((name) => [name, fileOf(folder, name, names)])),
    }
  } catch {
    return {
      failure: 'The pages of the builder are not built yet: run `npm run build:web`.',
    }
  }
}

function fileOf(folder: string, name: string, names: ReadonlySet<string>): WebFile {
  return {
    path: join(folder, 'web', name),
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    encodings: [
      ...(names.has(`${name}.br`) ? (['br'] as const) : []),
      ...(names.has(`${name}.gz`) ? (['gzip'] as const) : []),
    ],
    isWorker: /\bworker\b/.test(name) && name.endsWith('.js'),
  }
}
