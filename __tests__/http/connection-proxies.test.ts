// Tests of src/http/connection.ts: which hosts are asked through a proxy, and the words for one that cannot be used.
import { afterEach, expect, test } from '@jest/globals'
import { describeCause, isTransient } from '../../src/http/failures.ts'
import { openProxy, type ProxyOptions } from '../support/proxy.ts'
import { ask, bodyOf, failureOf, inWords, mute, openPeer, sayAfter, trustOne } from './peers.ts'

const { env } = process
const certificate = trustOne()
const EMPTY = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'

afterEach(() => {
  for (const name of ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY']) delete env[name]
})

/** How a request through a proxy ended, which could not work. */
interface ProxyFailure {
  readonly words: string
  readonly passes: boolean
  /** How many requests the proxy got. */
  readonly asked: number
  readonly tailSent: boolean
}

/** Sends a request over https; `valueFor` makes the value of the proxy's variables of its address. */
async function failThrough(
  options: ProxyOptions,
  valueFor: (address: string) => string = String
): Promise<ProxyFailure> {
  await using proxy = await openProxy(options)
  env.HTTPS_PROXY = valueFor(proxy.url)
  env.HTTP_PROXY = valueFor(proxy.url)
  await using peer = await openPeer(mute, certificate)

  const exchange = await ask(peer.named, { body: bodyOf(100_000) })

  const cause = failureOf(exchange)
  expect(cause.name).toBe('ProxyError')
  return {
    words: describeCause(cause, 'SHOP').replace(proxy.host, 'PROXY'),
    passes: isTransient(cause),
    asked: proxy.asked.length,
    tailSent: exchange.tailSent
  }
}

const CUT = /^the connection through the proxy PROXY was lost \(/

interface Refusal {
  readonly name: string
  readonly options: ProxyOptions
  readonly said: RegExp | string
  /** Whether another try may help. */
  readonly passes: boolean
  /** Any, if it depends on chance. */
  readonly tailSent: unknown
}

// A proxy that refuses a tunnel has passed nothing on.
test.each<Refusal>([
  {
    name: 'wants a password, over https',
    options: { credentials: 'me:pass' },
    said: 'the proxy answered 407, so check the user name and password in its address',
    passes: false,
    tailSent: false
  },
  {
    name: 'does not reach the shop',
    options: { refuses: 503 },
    said: 'the proxy answered 503',
    passes: true,
    tailSent: false
  },
  {
    name: 'closes when it is asked',
    options: { resets: true },
    said: CUT,
    passes: true,
    tailSent: false
  },
  {
    name: 'closes after CONNECT',
    options: { cuts: 0 },
    said: CUT,
    passes: true,
    tailSent: false
  },
  {
    name: 'cuts what it passes on',
    options: { cuts: 3000 },
    said: CUT,
    passes: true,
    tailSent: expect.any(Boolean)
  }
])('a proxy that $name is named', async ({ options, said, passes, tailSent }) => {
  const { words, ...ended } = await failThrough(options)
  expect(words).toMatch(said)
  expect(ended).toMatchObject({ passes, tailSent })
})

test.each(['127.0.0.1', 'localhost', '127.8.9.10'])('a proxy is never asked for %s', async host => {
  env.HTTP_PROXY = 'socks5://127.0.0.1:1'
  env.HTTPS_PROXY = env.HTTP_PROXY
  env.NO_PROXY = '127.0.0.0/8'

  await using peer = await openPeer(sayAfter(0, socket => socket.end(EMPTY)))
  const exchange = await ask(`http://${host}:${peer.port}`)

  // On macOS there is no other address than the first.
  expect(inWords(exchange)).not.toContain('socks')
  if (host !== '127.8.9.10') expect(inWords(exchange)).toBe('- 200 ')
})

test('a proxy that is not there is named once', async () => {
  env.HTTPS_PROXY = 'http://127.0.0.1:1'
  const cause = failureOf(await ask('https://shop.example.test', { body: bodyOf(10) }))
  const refused = '127.0.0.1:1 refused the connection (ECONNREFUSED)'
  expect(describeCause(cause, 'SHOP')).toBe(`the proxy cannot be used: ${refused}`)
  expect(isTransient(cause)).toBe(true)
})

test.each(['socks4://HOST', 's3cret', 'http://robot:%s3cret@HOST'])(
  'a proxy at %s is refused by the name of the variable',
  async address => {
    const { words, asked } = await failThrough({}, url =>
      address.replace('HOST', new URL(url).host)
    )
    expect(words).toBe('HTTPS_PROXY is not an address such as http://proxy.example.com:3128')
    expect(asked).toBe(0)
  }
)

/** As docs/troubleshooting.md says of NO_PROXY. The proxy is none, so a request through it fails. */
test.each<[string, string, boolean]>([
  ['.shop.test', 'shop.test', true],
  ['shop.test', 'a.b.shop.test', true],
  ['*.shop.test', 'a.shop.test', true],
  ['hop.test', 'shop.test', false],
  ['*', 'shop.test', true],
  ['example.com shop.test', 'shop.test', true],
  ['192.0.2.0/24', '192.0.2.1', false],
  ['shop.test:8080', 'shop.test', true],
  ['', 'shop.test', false]
])(
  'a proxy is not asked where NO_PROXY is "%s" and the host %s: %s',
  async (value, host, isDirect) => {
    env.HTTP_PROXY = 'socks5://127.0.0.1:1'
    env.NO_PROXY = value

    const { name, message } = failureOf(await ask(`http://${host}:8080`))
    // Without a proxy, the name is looked for, and it is nobody's.
    expect(isDirect ? message : name).toMatch(isDirect ? /ENOTFOUND/ : /^ProxyError$/)
  }
)
