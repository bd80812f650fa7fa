// The sockets of the stand-ins: a listener on a loopback port, with or without TLS, that closes cleanly.
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { Server, Socket } from 'node:net'
import { createServer as createNetServer } from 'node:net'

/** Key and certificate, both PEM. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** A request with its answer and the means to break the connection under them. */
export interface Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly socket: Socket
  /** Ends the connection with an RST. */
  reset(): void
}

interface ListenOptions {
  readonly tls?: Certificate | undefined
  /** Sees every connection before a byte is read; true means that it took the connection. */
  readonly accept?: (socket: Socket) => boolean
  readonly answer: (exchange: Exchange) => Promise<void>
}

export interface Listener {
  /** Such as `http://127.0.0.1:8080`. */
  readonly origin: string
  /** Destroys every connection and stops listening. */
  close(): Promise<void>
}

/** Listens on a free port of 127.0.0.1. */
export async function listen({ tls, accept, answer }: ListenOptions): Promise<Listener> {
  /** The open connections, by the remote port. */
  const sockets = new Map<number, Socket>()

  const onRequest = (req: IncomingMessage, res: ServerResponse): void => {
    const { socket } = req
    // A TLS socket cannot send an RST; the one below it can, and has the same remote port.
    const raw = sockets.get(socket.remotePort ?? 0) ?? socket
    const exchange: Exchange = {
      req,
      res,
      socket,
      reset: () => raw.resetAndDestroy()
    }
    answer(exchange).catch(() => socket.destroy())
  }
  const http =
    tls === undefined ? createHttpServer(onRequest) : createHttpsServer({ ...tls }, onRequest)

  // The HTTP server gets its connections from here, so that one can be broken before HTTP sees it.
  const server = createNetServer({ allowHalfOpen: true, noDelay: true }, socket => {
    const { remotePort = 0 } = socket
    sockets.set(remotePort, socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      // The system may have given the port to another connection by now.
      if (sockets.get(remotePort) === socket) sockets.delete(remotePort)
    })

    if (accept?.(socket) !== true) http.emit('connection', socket)
  })

  const host = await listenOn(server)
  return {
    origin: `${tls === undefined ? 'http' : 'https'}://${host}`,
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      for (const socket of sockets.values()) socket.destroy()
      await closed
    }
  }
}

/** Resolves when the connection is gone. */
export async function gone(socket: Socket): Promise<void> {
  if (!socket.destroyed) await new Promise<void>(resolve => socket.once('close', () => resolve()))
}

/** Starts a server on a free loopback port; returns such as `127.0.0.1:8080`. */
export async function listenOn(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Not listening on a port')
  return `127.0.0.1:${address.port}`
}
