import { loaderUrl } from './loading/bundled-loader.js'

/** The entry point of the server. */
const { loadProgram } = await import(loaderUrl())
await loadProgram('start')
