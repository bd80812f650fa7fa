// The wall around the tests: no connection and no name look-up leaves this machine. Plain JavaScript, since
// every process that a test starts loads it, and stripping types would take longer than all else.
//
// Jest loads it as a setup file. A child loads it by `--import`, and has a file in `NETWORK_MARKER`: its
// attempts are written there. Without one, an attempt becomes an uncaught error, so that code which
// swallows errors cannot hide it.
import dns from 'node:dns'
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { env } from 'node:process'

const GUARDED = Symbol.for('loopback-only')

// Jest's files share the built-in modules: the second file in a worker finds the wall standing.
if (!net.Socket.prototype[GUARDED]) {
  Object.defineProperty(net.Socket.prototype, GUARDED, { value: true })
  guardConnections()
  guardLookups(dns, false)
  guardLookups(dns.Resolver.prototype, false)
  guardLookups(dns.promises, true)
  guardLookups(dns.promises.Resolver.prototype, true)
  syncBuiltinESMExports()
}

function guardConnections() {
  const { connect } = net.Socket.prototype
  net.Socket.prototype.connect = function (...args) {
    const host = hostOf(args)
    if (net.isIP(host) !== 0 && !isLoopback(host)) throw refuse(`connect ${host}`)
    return connect.apply(this, args)
  }
}

function guardLookups(owner, promised) {
  for (const name of Object.getOwnPropertyNames(owner)) {
    const original = owner[name]
    if (!/^(lookup|lookupService|resolve\w*|reverse)$/.test(name)) continue

    owner[name] = function (...args) {
      const host = String(args[0])
      if (name === 'lookup' && isLoopback(host)) return original.apply(this, args)

      // Names that never exist (RFC 6761): tests use them, and looking one up is no attempt to leave.
      const error = /\.(invalid|test)\.?$/i.test(host)
        ? notFound(`getaddrinfo ENOTFOUND ${host}`, host)
        : refuse(`${name} ${host}`)
      if (promised) return Promise.reject(error)
      queueMicrotask(() => args.at(-1)(error))
    }
  }
}

/** The host in any form of arguments that `connect` takes; loopback for a path. */
function hostOf(args) {
  // net.connect() hands on its arguments as one normalized list.
  const [first, second] = Array.isArray(args[0]) ? args[0] : args
  if (typeof first === 'object') return first.path ? 'localhost' : first.host || 'localhost'
  return Number(first) >= 0 && typeof second === 'string' ? second : 'localhost'
}

function isLoopback(host) {
  const name = host.toLowerCase().replace(/^\[|\]$|\.$/g, '')
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  return /^(::ffff:)?127(\.\d+){3}$|^(::1|::|0\.0\.0\.0)$/.test(name)
}

function notFound(message, hostname) {
  const fields = {
    code: 'ENOTFOUND',
    errno: -3008,
    syscall: 'getaddrinfo',
    hostname
  }
  return Object.assign(new Error(message), fields)
}

function refuse(attempt) {
  const error = notFound(`NETWORK_GUARD: this would leave the machine: ${attempt}`)
  const fail = () => {
    throw error
  }

  const { NETWORK_MARKER: marker } = env
  // A microtask runs before the test can end, so Jest counts the error to the right one.
  if (marker === undefined) queueMicrotask(fail)
  else appendFileSync(marker, `${error.message}\n`)
  return error
}
