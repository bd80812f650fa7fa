// Owns the proof that broken-off exchanges leave nothing behind: no socket, timer, listener or rejection.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { deaf, mute, openPeer } from './peers.ts'

const { PATH = '' } = env

test('a process that breaks off exchanges in every phase ends by itself, with nothing left open', async () => {
  await using silent = await openPeer(mute)
  await using still = await openPeer(deaf)
  await using resetting = await openPeer(socket => {
    socket.on('data', () => setTimeout(() => socket.resetAndDestroy(), 50))
  })
  await using proxy = await openPeer(mute)
  await using answering = await openPeer(socket => {
    socket.on('data', chunk => {
      // Head and body of these small requests come in one piece.
      if (chunk.includes('\r\n\r\n')) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    })
  })
  const script = join(import.meta.dirname, 'leaving.ts')
  const proxied = 'https://shop.example.test'
  const origins = [silent.origin, still.origin, resetting.origin, proxied, answering.origin]
  const settings = { HTTPS_PROXY: proxy.origin, NO_PROXY: '127.0.0.1,shop.invalid' }
  // An unhandled rejection ends a process of Node's with an error.
  const { stdout, stderr } = await promisify(execFile)(execPath, [script, ...origins], {
    env: { PATH, ...settings }
  })
  expect(stderr).toBe('')
  const late = (phase: string, text: string) => [`${phase}: cancelled`, `${phase}: ${text}`]
  expect(JSON.parse(stdout)).toEqual([
    late('- connect', 'no connection within 0.5 seconds'),
    late('- send', 'no byte moved for 0.5 seconds'),
    late('+ answer', 'no complete answer within 0.5 seconds'),
    late('- answer', 'no complete answer within 0.5 seconds'),
    ['- send: lost', '- send: lost'],
    late('- connect', 'no connection within 0.5 seconds'),
    ['- connect: ENOTFOUND'],
    ['- send: no'],
    ['- send: the file changed']
  ])
  await Promise.all([silent, resetting, proxy, answering].map(peer => peer.alone()))
}, 30_000)
