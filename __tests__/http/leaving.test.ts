// Owns the proof that broken-off exchanges leave nothing behind: no socket, timer, listener or rejection.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { deaf, mute, openPeer, sayAfter } from './peers.ts'

const { PATH = '' } = env

test('a process that breaks off exchanges in every phase ends by itself, with nothing left open', async () => {
  await using silent = await openPeer(mute)
  await using still = await openPeer(deaf)
  await using resetting = await openPeer(sayAfter(0, socket => socket.resetAndDestroy()))
  await using proxy = await openPeer(mute)
  await using answering = await openPeer(socket => {
    socket.on('data', chunk => {
      // Head and body of these small requests come in one piece.
      if (chunk.includes('\r\n\r\n')) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    })
  })
  const secure = silent.origin.replace('http:', 'https:')
  const others = ['https://behind.proxy.test', 'http://shop.invalid']
  const origins = [secure, still.origin, silent.origin, resetting.origin, ...others]
  const script = join(import.meta.dirname, 'leaving.ts')
  // An unhandled rejection ends a process of Node's with an error.
  const { stdout, stderr } = await promisify(execFile)(
    execPath,
    [script, answering.origin, ...origins],
    { env: { PATH, HTTPS_PROXY: proxy.origin, NO_PROXY: '127.0.0.1' } }
  )
  expect([stdout, stderr]).toEqual(['done', ''])
  await Promise.all([silent, resetting, proxy, answering].map(peer => peer.alone()))
}, 30_000)
