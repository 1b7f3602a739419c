import { describe, expect, test } from 'vitest'
import { workspaces } from './layering/sources.ts'
import { ALLOWED_FILES, OTHER_WORKSPACES, PACKAGES } from './outgoing/allowed-connections.ts'
import { bareConnections } from './outgoing/bare-connections.ts'

// Every address given by a tenant goes through the guarded fetch of packages/safe-fetch, or is used in a process with guarded
// connections. This file fails for product code that connects in another way, unless it is listed with a reason.

const all = workspaces()
const product = all
  .filter(({ folder }) => !/^(packages\/test-kit|bench)$/.test(folder))
  .flatMap(({ sources }) => sources.filter((source) => !source.isTest && !source.isTool))
const bare = product
  .map(({ path, text }) => ({ path, connections: bareConnections(path, text) }))
  .filter(({ connections }) => connections.length > 0)

test('no file of the product connects without the guard, except the listed ones with a reason', () => {
  const unlisted = bare.filter(({ path }) => !Object.hasOwn(ALLOWED_FILES, path))
  expect(unlisted.map(({ path, connections }) => `${path} (${connections.join(', ')})`)).toEqual([])
})

test('every listed file still does', () => {
  const paths = new Set(bare.map(({ path }) => path))
  expect(Object.keys(ALLOWED_FILES).filter((path) => !paths.has(path))).toEqual([])
})

test('every package that the product depends on is listed by its connections', () => {
  const listed = Object.values(PACKAGES).flatMap(({ packages }) => packages)
  const used = all
    .filter(({ folder }) => !Object.hasOwn(OTHER_WORKSPACES, folder))
    .flatMap(({ manifest }) => Object.keys(manifest.dependencies ?? {}))
    .filter((name) => !name.startsWith('@troupe/'))
  expect([...new Set(used)].sort()).toEqual([...listed].sort())
})

test('a workspace with plugins of a guarded process has no others for addresses given by tenants', () => {
  const guarded = all.filter(({ manifest }) =>
    Object.keys(manifest.dependencies ?? {}).some((name) => PACKAGES.guardedProcess.packages.includes(name)),
  )
  expect(guarded.map(({ folder }) => folder)).toEqual(['apps/voice-worker'])
})

describe('connections without the guard', () => {
  test.each([
    ["await fetch('http://a')", ['fetch']],
    ['const send = globalThis.fetch', ['fetch']],
    ["const send = globalThis['fetch']", ['fetch']],
    ['createChatModels({ fetch })', ['fetch']],
    ['createChatModels({ fetch: globalThis.fetch })', ['fetch']],
    ['function f(url = fetch) {}', ['fetch']],
    ['const f = (fetch) => fetch(1); fetch(2)', ['fetch']],
    ['{ const fetch = 1 } fetch(2)', ['fetch']],
    ["new WebSocket('ws://a')", ['WebSocket']],
    ["import { request } from 'node:http'", ['http: request']],
    ["import http, { createServer } from 'http'", ['http: whole module']],
    ["import { connect } from 'node:tls'", ['tls: connect']],
    ["import { Agent } from 'undici'", ['undici: Agent']],
    ["const { request } = await import('undici')", ['undici: whole module']],
    ["import WebSocket from 'ws'", ['ws: whole module']],
    [
      "import { createOpenAI } from '@ai-sdk/openai'; createOpenAI({ apiKey: 'x' })",
      ['createOpenAI without fetch'],
    ],
    ["const { createXai } = await import('@ai-sdk/xai'); createXai()", ['createXai without fetch']],
  ])('%s', (source, connections) => expect(bareConnections('a.ts', source)).toEqual(connections))

  test.each([
    'async function load(connection, { fetch }) { return fetch(connection) }',
    'class A { #fetch; fetch() { return this.#fetch(1) } }',
    'parts.outgoing.fetch(url)',
    'const send = ({ fetch = other }) => ({ fetch })',
    'function f(fetch: typeof globalThis.fetch): void { fetch(1) }',
    'interface A { fetch: typeof globalThis.fetch }',
    'type Fetch = typeof globalThis.fetch',
    "import type { Socket } from 'node:net'",
    "import { type IncomingMessage, createServer } from 'node:http'",
    "import { isIP } from 'node:net'",
    "import { createOpenAI } from '@ai-sdk/openai'; const f = ({ fetch }) => createOpenAI({ fetch })",
    "import { wrap } from '@ai-sdk/provider'; wrap()",
  ])('not: %s', (source) => expect(bareConnections('a.ts', source)).toEqual([]))
})
