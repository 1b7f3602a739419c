#!/usr/bin/env node
import { loaderUrl } from '../loading/bundled-loader.js'

/** The entry point of the command line. */
const { loadProgram } = await import(loaderUrl())
await loadProgram('cli/command')
