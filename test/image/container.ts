import { setTimeout as pause } from 'node:timers/promises'
import { CONFINEMENT, type Ended, IMAGE, type Podman } from './podman.ts'

const READY_MS = 60_000

/** A container of the image, with a read-only root, without capabilities and with 512 MB. */
export class Container {
  readonly name: string
  readonly url: string
  readonly #podman: Podman

  constructor(podman: Podman, name: string, port: number) {
    this.#podman = podman
    this.name = `troupe-${process.pid}-${name}`
    this.url = `http://127.0.0.1:${port}`
  }

  #args(volume: readonly string[], env: Readonly<Record<string, string>>): string[] {
    const { port } = new URL(this.url)
    const given = { HOST: '127.0.0.1', PORT: port, ...env }
    return [
      ...['--name', this.name, ...CONFINEMENT],
      ...volume,
      ...Object.entries(given).flatMap(([key, value]) => ['-e', `${key}=${value}`]),
      IMAGE,
    ]
  }

  /** Starts it and waits until it is ready. @returns milliseconds until it is ready */
  async start(volume: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> {
    const startedMs = performance.now()
    const { code, err } = await this.#podman.podman(['run', '-d', ...this.#args(volume, env)])
    if (code !== 0) throw new Error(`${this.name} was not started: ${err}`)
    return this.#ready(startedMs)
  }

  /** Restarts it unchanged. @returns milliseconds until it is ready */
  async startAgain(): Promise<number> {
    const startedMs = performance.now()
    const { code, err } = await this.#podman.podman(['start', this.name])
    if (code !== 0) throw new Error(`${this.name} was not started again: ${err}`)
    return this.#ready(startedMs)
  }

  async #ready(startedMs: number): Promise<number> {
    for (;;) {
      const answer = await fetch(`${this.url}/readyz`).catch(() => null)
      if (answer?.status === 200) return performance.now() - startedMs
      if (performance.now() - startedMs > READY_MS) throw new Error(`never ready:\n${await this.logs()}`)
      await pause(25)
    }
  }

  /** Runs it until it ends, for a start that must fail. */
  runToTheEnd(volume: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    return this.#podman.podman(['run', '--rm', ...this.#args(volume, env)], { timeout: READY_MS })
  }

  exec(...command: string[]): Promise<Ended> {
    return this.#podman.podman(['exec', this.name, ...command])
  }

  async logs(): Promise<string> {
    const { out, err } = await this.#podman.podman(['logs', this.name])
    return out + err
  }

  async kill(signal: 'TERM' | 'KILL'): Promise<void> {
    await this.#podman.podman(['kill', '-s', signal, this.name])
  }

  /** Waits for its end. @returns the exit code */
  async ended(): Promise<number> {
    return Number((await this.#podman.podman(['wait', this.name])).out)
  }

  /** The process id of the program on this machine. */
  async pid(): Promise<number> {
    return Number((await this.#podman.podman(['inspect', '-f', '{{.State.Pid}}', this.name])).out)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#podman.podman(['rm', '-f', '-t', '0', this.name])
  }
}
