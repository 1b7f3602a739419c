import dgram from 'node:dgram'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

const GLOBALS = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']

/**
 * Disables every network API of Node before a parser is loaded, so that no document makes a library fetch
 * anything. Node 24's permission model does not cover the network.
 */
export function forbidConnections(): void {
  const refuse = () => {
    throw new Error('a document opens no connection')
  }
  for (const name of GLOBALS) Reflect.deleteProperty(globalThis, name)
  net.Socket.prototype.connect = refuse
  net.Server.prototype.listen = refuse
  for (const name of ['bind', 'connect', 'send'] as const) dgram.Socket.prototype[name] = refuse
  for (const host of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
    for (const name of Object.getOwnPropertyNames(host)) {
      if (/^(?:lookup|resolve|reverse)/.test(name)) Reflect.set(host, name, refuse)
    }
  }
  syncBuiltinESMExports()
}
