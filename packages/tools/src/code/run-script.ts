import { readFile } from 'node:fs/promises'
import releaseVariant from '@jitl/quickjs-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core'
import type { Script, ScriptFault, ScriptOutcome } from './script.ts'

const FILE = 'tool.js'
const PAGE_BYTES = 64 * 1024
const STACK_BYTES = 256 * 1024
const JOBS_AT_ONCE = 100
const MAX_RESULT_CHARACTERS = 256 * 1024
const MAX_MESSAGE_CHARACTERS = 300
/** Compiling needs little time and memory. */
const CHECK_LIMITS = { timeoutMs: 5_000, memoryMb: 64 }
/** A WebAssembly memory never shrinks, and its garbage is collected late. */
const SPENT_BYTES = 64 * 1024 * 1024

// The package's types describe its CommonJS build, where the variant is one level deeper than in the module that Node
// loads.
const engineVariant = 'default' in releaseVariant ? releaseVariant.default : releaseVariant

/** The part of the WebAssembly API that is used here: its types come with those of browsers, which are not loaded. */
interface EngineMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> }

/** A finished piece of work. */
interface Done {
  outcome: ScriptOutcome
  spent: boolean
}

/** Runs scripts, each in its own WebAssembly instance, so that no state is left for the next one. */
export interface ScriptEngine {
  /** Compiles a module and executes nothing. */
  check(source: string): Promise<Done>
  run(script: Script, input: string): Promise<Done>
}

/** Ends the work with an outcome for the model. */
class Fault extends Error {
  override readonly name = 'Fault'
  readonly fault: ScriptFault
  readonly line: number | null

  constructor(fault: ScriptFault, message: string, line: number | null = null) {
    super(message)
    this.fault = fault
    this.line = line
  }
}

/** Loads the engine. Its instances share only the compiled code. */
export async function openScriptEngine(): Promise<ScriptEngine> {
  const file = new URL(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))
  const wasmModule = await WebAssembly.compile(await readFile(file))
  const variant = newVariant(engineVariant, { wasmModule })
  const inNewEngine = async (limits: Omit<Script, 'source'>, work: (run: ScriptRun) => string) => {
    const engine = await newQuickJSWASMModuleFromVariant(variant)
    const memory: EngineMemory = engine.getWasmMemory()
    limitGrowth(memory, limits.memoryMb)
    const outcome = outcomeOf(() => work(new ScriptRun(engine, limits)))
    return { outcome, spent: memory.buffer.byteLength > SPENT_BYTES }
  }
  return {
    check: (source) => inNewEngine(CHECK_LIMITS, (run) => run.compile(source)),
    run: (script, input) => inNewEngine(script, (run) => run.perform(script.source, input)),
  }
}

/**
 * Refuses to grow an engine's memory beyond the limit. QuickJS has its own limit, but compiled to WebAssembly it does
 * not know the size of its allocations and counts 8 bytes for each.
 */
function limitGrowth(memory: EngineMemory, memoryMb: number): void {
  const most = memory.buffer.byteLength + memoryMb * 1024 * 1024
  const grow = memory.grow.bind(memory)
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * PAGE_BYTES > most) throw new RangeError('limit')
    return grow(pages)
  }
}

function outcomeOf(work: () => string): ScriptOutcome {
  try {
    return { ok: true, json: work() }
  } catch (error) {
    if (error instanceof Fault) {
      return { ok: false, fault: error.fault, message: error.message, line: error.line }
    }
    if (error instanceof RangeError) return failure('recursion', TOO_DEEP)
    return failure('crashed', 'The script could not be continued and was ended.')
  }
}

const TOO_DEEP = 'The script recurses too deeply.'

function failure(fault: ScriptFault, message: string): ScriptOutcome {
  return { ok: false, fault, message, line: null }
}

/** One run in one engine. The engine is discarded afterwards, so handles need not be released. */
class ScriptRun {
  readonly #runtime: QuickJSRuntime
  readonly #context: QuickJSContext
  readonly #limits: Omit<Script, 'source'>
  readonly #deadline: number
  readonly #json: { parse: QuickJSHandle; stringify: QuickJSHandle }

  constructor(engine: QuickJSWASMModule, limits: Omit<Script, 'source'>) {
    this.#limits = limits
    this.#deadline = performance.now() + limits.timeoutMs
    this.#runtime = engine.newRuntime()
    this.#runtime.setMaxStackSize(STACK_BYTES)
    this.#context = this.#runtime.newContext()
    // Taken before the script runs, because the script may replace these functions.
    const json = this.#context.getProp(this.#context.global, 'JSON')
    this.#json = {
      parse: this.#context.getProp(json, 'parse'),
      stringify: this.#context.getProp(json, 'stringify'),
    }
    this.#runtime.setMemoryLimit(limits.memoryMb * 1024 * 1024)
    this.#runtime.setInterruptHandler(() => this.#isLate())
  }

  compile(source: string): string {
    const compiled = this.#context.evalCode(source, FILE, { type: 'module', compileOnly: true })
    if (compiled.error) throw this.#fault(compiled.error, 'syntax')
    // A second default export is a compiler error, so a module that accepts one has none itself.
    const second = this.#context.evalCode(`${source}\nexport default null`, FILE, {
      type: 'module',
      compileOnly: true,
    })
    if (!second.error) throw noFunction()
    return 'null'
  }

  /** The result as JSON. */
  perform(source: string, input: string): string {
    const context = this.#context
    const evaluated = context.evalCode(source, FILE, { type: 'module' })
    if (evaluated.error) throw this.#fault(evaluated.error, 'thrown')
    const exported = context.getProp(this.#settled(evaluated.value), 'default')
    if (context.typeof(exported) !== 'function') throw noFunction()
    const argument = this.#call(this.#json.parse, context.newString(input))
    const result = this.#settled(this.#call(exported, argument))
    const text = this.#call(this.#json.stringify, result)
    // Functions and undefined have no JSON.
    if (context.typeof(text) !== 'string') return 'null'
    const length = context.getNumber(context.getProp(text, 'length'))
    if (length > MAX_RESULT_CHARACTERS) {
      throw new Fault('result', `The result of the script has more than ${MAX_RESULT_CHARACTERS} characters.`)
    }
    return context.getString(text)
  }

  #call(called: QuickJSHandle, argument: QuickJSHandle): QuickJSHandle {
    const answer = this.#context.callFunction(called, this.#context.undefined, argument)
    if (answer.error) throw this.#fault(answer.error, 'thrown')
    this.#requireTime()
    return answer.value
  }

  /** The value of a promise, after running the jobs that it waits for; any other value unchanged. */
  #settled(value: QuickJSHandle): QuickJSHandle {
    for (;;) {
      const state = this.#context.getPromiseState(value)
      if (state.type === 'fulfilled') return state.value
      if (state.type === 'rejected') throw this.#fault(state.error, 'thrown')
      const jobs = this.#runtime.executePendingJobs(JOBS_AT_ONCE)
      if (jobs.error) throw this.#fault(jobs.error, 'thrown')
      this.#requireTime()
      if (jobs.value === 0) {
        throw new Fault('pending', 'The script returned a promise that never settles.')
      }
    }
  }

  #isLate(): boolean {
    return performance.now() > this.#deadline
  }

  #requireTime(): void {
    if (this.#isLate()) throw this.#tooLate()
  }

  #tooLate(): Fault {
    return new Fault('time', `The script did not finish within ${this.#limits.timeoutMs} ms.`)
  }

  /** The fault for a script's error, with the script's own message, shortened. */
  #fault(error: QuickJSHandle, fault: 'syntax' | 'thrown'): Fault {
    if (this.#isLate()) return this.#tooLate()
    const name = this.#text(error, 'name')
    const message = this.#text(error, 'message')
    const said = [name, message].filter((part) => part !== '').join(': ')
    if (message === 'out of memory' || this.#isNull(error)) {
      return new Fault('memory', `The script used more than its ${this.#limits.memoryMb} MB of memory.`)
    }
    if (message === 'stack overflow' || message === 'Maximum call stack size exceeded') {
      return new Fault('recursion', TOO_DEEP)
    }
    const line = lineOf(this.#text(error, 'stack'))
    const where = line === null ? '' : ` (line ${line})`
    if (fault === 'syntax') return new Fault('syntax', `does not compile${where}: ${said}`, line)
    return new Fault(
      'thrown',
      `The script failed${where}: ${said === '' ? this.#primitive(error) : said}`,
      line,
    )
  }

  /** A property if it is a text of moderate length, else an empty text. */
  #text(of: QuickJSHandle, property: string): string {
    try {
      return this.#short(this.#context.getProp(of, property))
    } catch {
      return ''
    }
  }

  /** The engine lacks the memory even for an error. */
  #isNull(value: QuickJSHandle): boolean {
    return this.#context.typeof(value) === 'object' && this.#context.eq(value, this.#context.null)
  }

  #primitive(value: QuickJSHandle): string {
    const text = this.#short(value)
    return text === '' ? 'it threw no error' : text
  }

  #short(value: QuickJSHandle): string {
    const context = this.#context
    if (context.typeof(value) !== 'string') return ''
    const length = context.getNumber(context.getProp(value, 'length'))
    if (length > 64 * MAX_MESSAGE_CHARACTERS) return '(a very long message)'
    return context.getString(value).slice(0, MAX_MESSAGE_CHARACTERS)
  }
}

function noFunction(): Fault {
  return new Fault('syntax', 'must export a function: export default (input) => …')
}

/** The first line of the script in a stack trace. */
function lineOf(stack: string): number | null {
  const found = /tool\.js:(\d+)/.exec(stack)
  return found ? Number(found[1]) : null
}
