// Owns the wall around the tests: no connection and no name look-up leaves this machine.
//
// Jest loads it as a setup file. A child loads it by `--import`, with `?marker=FILE`: its attempts
// are written to that file. Without one, an attempt becomes an uncaught error, so that code which
// swallows errors cannot hide it.
import dns from 'node:dns'
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

type Callable = (this: unknown, ...args: unknown[]) => unknown

const GUARDED = Symbol.for('loopback-only')
const marker = new URL(import.meta.url).searchParams.get('marker')

// Jest's files share the built-in modules: the second file in a worker finds the wall standing.
if (!Reflect.has(net.Socket.prototype, GUARDED)) {
  Reflect.defineProperty(net.Socket.prototype, GUARDED, { value: true })
  guardConnections()
  for (const owner of [
    dns,
    dns.promises,
    dns.Resolver.prototype,
    dns.promises.Resolver.prototype
  ]) {
    guardLookups(owner)
  }
  syncBuiltinESMExports()
}

function guardConnections() {
  wrap(net.Socket.prototype, 'connect', connect => {
    return function (...args) {
      const host = hostOf(args)
      if (net.isIP(host) !== 0 && !isLoopback(host)) throw refuse(`connect ${host}`)
      if (this instanceof net.Socket && net.isIP(host) === 0) {
        // A look-up of the caller's own may answer anything; Node tells before it connects.
        this.on('lookup', (_error, address) => {
          if (!address || isLoopback(address)) return
          this.destroy(refuse(`connect ${address} (${host})`))
        })
      }
      return connect.apply(this, args)
    }
  })
}

function guardLookups(owner: object) {
  const promised = owner === dns.promises || owner === dns.promises.Resolver.prototype
  for (const name of Object.getOwnPropertyNames(owner)) {
    if (!/^(lookup|lookupService|resolve\w*|reverse)$/.test(name)) continue
    wrap(owner, name, lookup => {
      return function (...args) {
        const host = String(args[0])
        if (name === 'lookup' && isLoopback(host)) return lookup.apply(this, args)
        const error = isReserved(host) ? notFound(host) : refuse(`${name} ${host}`)
        if (promised) return Promise.reject(error)
        const callback = args.at(-1)
        if (typeof callback !== 'function') throw error
        queueMicrotask(() => callback(error))
        return undefined
      }
    })
  }
}

function wrap(owner: object, name: string, change: (original: Callable) => Callable) {
  const original: unknown = Reflect.get(owner, name)
  if (isCallable(original)) Reflect.set(owner, name, change(original))
}

function isCallable(value: unknown): value is Callable {
  return typeof value === 'function'
}

/** The host in any form of arguments that `connect` takes; loopback for a path. */
function hostOf(args: readonly unknown[]): string {
  // net.connect() hands on its arguments as one normalised list.
  const [first, second] = Array.isArray(args[0]) ? args[0] : args
  if (typeof first === 'object' && first !== null) {
    const { path, host }: { path?: unknown; host?: unknown } = first
    return path || !host ? 'localhost' : String(host)
  }
  const isPort = typeof first === 'number' || Number(first) >= 0
  return isPort && typeof second === 'string' && second !== '' ? second : 'localhost'
}

function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$|\.$/g, '')
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  return /^(::ffff:)?127(\.\d+){3}$|^(::1|::|0\.0\.0\.0)$/.test(name)
}

/** Names that never exist (RFC 6761): tests use them, and looking one up is no attempt to leave. */
function isReserved(host: string): boolean {
  return /\.(invalid|test)\.?$/i.test(host)
}

function notFound(host: string): Error {
  return Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), {
    code: 'ENOTFOUND',
    errno: -3008,
    syscall: 'getaddrinfo',
    hostname: host
  })
}

function refuse(attempt: string): Error {
  const text = `NETWORK_GUARD: this would leave the machine: ${attempt}`
  const error = Object.assign(new Error(text), { code: 'ENOTFOUND', syscall: 'getaddrinfo' })
  if (marker === null) {
    // A microtask runs before the test can end, so Jest counts the error to the right one.
    queueMicrotask(() => {
      throw error
    })
  } else {
    appendFileSync(marker, `${text}\n`)
  }
  return error
}
