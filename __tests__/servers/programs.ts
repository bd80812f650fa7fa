// Other people's servers, started on free loopback ports, with shops in them that store what they get.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe } from '@jest/globals'
import { type Certificate, listenOn } from '../../sandbox/listener.ts'

export const TOKEN = 'token-of-the-shop'
const { env } = process

const APACHE = '/usr/lib/apache2/modules'
const RULES = '/usr/share/modsecurity-crs/owasp-crs.load'
/** Files of packages that have no program. */
const FILES = new Map([
  ['libapache2-mod-security2', `${APACHE}/mod_security2.so`],
  ['modsecurity-crs', RULES]
])

/** The path of a program, if it is installed. */
function find(program: string): string | undefined {
  const folders = [...(env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/go/bin']
  return folders.map(folder => path.join(folder, program)).find(file => existsSync(file))
}

/** Leaves tests out when a program or package is not installed; not where all of them have to be there. */
export function over(needs: readonly string[]): typeof describe | typeof describe.skip {
  const isThere = (need: string) => existsSync(FILES.get(need) ?? '') || find(need) !== undefined
  return needs.every(isThere) || env.CI_SERVERS === 'all' ? describe : describe.skip
}

type Environment = Readonly<Record<string, string>>
/** Makes a program's arguments for the port that it is to listen on. */
type Arguments = (port: number) => readonly string[] | Promise<readonly string[]>

/** An upload that a shop has stored. */
interface StoredUpload {
  readonly fields: unknown
  readonly file: Buffer
}

/** Opens the servers of one test. */
export async function openServers(): Promise<Servers> {
  return new Servers(await mkdtemp(path.join(tmpdir(), 'servers-')))
}

/** The servers of one test, which end with the block that says `await using`. */
export class Servers {
  /** For their files, and for the upload that the shop stores. */
  readonly folder: string
  readonly #running: ChildProcess[] = []
  readonly #kept: AsyncDisposable[] = []

  constructor(folder: string) {
    this.folder = folder
  }

  /** Ends something else with the servers. */
  keep(other: AsyncDisposable): void {
    this.#kept.push(other)
  }

  /** Starts a program, and resolves with its port once it listens. */
  async start(program: string, args: Arguments, more: Environment = {}): Promise<number> {
    const port = await freePort()
    const child = spawn(find(program) ?? program, await args(port), {
      env: { ...env, ...more },
      stdio: 'ignore'
    })
    this.#running.push(child)
    await listening(port, child)
    return port
  }

  /** The upload that the shop has stored, if there is one. */
  async stored(): Promise<StoredUpload | undefined> {
    const file = path.join(this.folder, 'fields.json')
    const fields = await readFile(file, 'utf8').catch(() => undefined)
    if (fields === undefined) return undefined
    return {
      fields: JSON.parse(fields),
      file: await readFile(path.join(this.folder, 'file'))
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#running) {
      child.kill()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }
    for (const other of this.#kept) {
      await other[Symbol.asyncDispose]()
    }
    await rm(this.folder, { recursive: true, force: true })
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  const [, port] = (await listenOn(server)).split(':')
  server.close()
  await once(server, 'close')
  return Number(port)
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise<boolean>(resolve => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    if (isOpen) return
    await sleep(20)
  }
  throw new Error(`${child.spawnfile} ended with ${child.exitCode}`)
}

/** The path of a file of this folder. */
const pathOf = (name: string) => path.join(import.meta.dirname, name)

export function startPython(servers: Servers): Promise<number> {
  return servers.start('python3', port => [pathOf('server.py'), `${port}`, servers.folder, TOKEN])
}

export function startPhp(servers: Servers): Promise<number> {
  const limits = ['-d', 'upload_max_filesize=64M', '-d', 'post_max_size=64M']
  return servers.start(
    'php',
    port => [...limits, '-S', `127.0.0.1:${port}`, pathOf('server.php')],
    { SHOP_TOKEN: TOKEN, SHOP_OUT: servers.folder }
  )
}

export function startGo(servers: Servers): Promise<number> {
  const program = path.join(servers.folder, 'shop')
  execFileSync(find('go') ?? 'go', ['build', '-o', program, pathOf('server.go')], {
    env: { ...env, GOCACHE: path.join(tmpdir(), 'go-cache-of-servers') }
  })
  return servers.start(program, port => [String(port), servers.folder, TOKEN])
}

/** nginx in front of another server; `settings` go into its `server` block. */
export function startNginx(
  servers: Servers,
  behind: number,
  settings: string,
  tls?: Certificate
): Promise<number> {
  const { folder } = servers
  const at = (name: string) => path.join(folder, name)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map(name => `${name}_temp_path ${at(name)};`)
    .join(' ')
  const pair = `ssl_certificate ${at('cert.pem')}; ssl_certificate_key ${at('key.pem')};`
  return servers.start('nginx', async port => {
    if (tls) {
      await writeFile(at('cert.pem'), tls.cert)
      await writeFile(at('key.pem'), tls.key)
    }

    const listen = `listen 127.0.0.1:${port}${tls ? ` ssl; ${pair}` : ';'}`
    const pass = `location / { proxy_pass http://127.0.0.1:${behind}; proxy_http_version 1.1; }`
    const server = `server { ${listen} ${settings} ${pass} }`

    // Its workers need their folder, which belongs to the user who runs the tests.
    const user = process.getuid?.() === 0 ? 'user root;' : ''
    const http = `http { access_log off; ${temporary} ${server} }`
    await writeFile(
      at('nginx.conf'),
      `daemon off; ${user} pid ${at('nginx.pid')}; events {} ${http}`
    )
    return ['-c', at('nginx.conf'), '-e', at('error.log')]
  })
}

/** Apache with mod_security and the rules of OWASP in front of another server: it reads answers, too. */
export function startApache(servers: Servers, behind: number): Promise<number> {
  const { folder } = servers
  return servers.start('apache2', async port => {
    const modules = ['mpm_event', 'authz_core', 'unique_id', 'proxy', 'proxy_http', 'security2']
    const config = [
      `ServerRoot ${folder}`,
      `ServerName 127.0.0.1`,
      `PidFile ${folder}/apache.pid`,
      `ErrorLog ${folder}/error.log`,
      `Listen 127.0.0.1:${port}`,
      ...modules.map(name => `LoadModule ${name}_module ${APACHE}/mod_${name}.so`),
      // The recommended settings, switched on, with JSON among the answers that are read.
      'SecRuleEngine On',
      'SecRequestBodyAccess On',
      'SecResponseBodyAccess On',
      'SecResponseBodyMimeType text/plain text/html text/xml application/json',
      'SecTmpDir /tmp',
      'SecDataDir /tmp',
      `Include ${RULES}`,
      `ProxyPass / http://127.0.0.1:${behind}/`
    ]
    const file = path.join(folder, 'apache.conf')
    await writeFile(file, `${config.join('\n')}\n`)
    return ['-X', '-f', file]
  })
}

/** A proxy for tunnels to any port, through another proxy, such as `127.0.0.1:3128`. */
export function startTinyproxy(servers: Servers, upstream: string): Promise<number> {
  return servers.start('tinyproxy', async port => {
    const file = path.join(servers.folder, 'tinyproxy.conf')
    const config = [
      `Port ${port}`,
      'Listen 127.0.0.1',
      'Allow 127.0.0.1',
      'Timeout 60',
      `Upstream http ${upstream}`
    ]
    await writeFile(file, `${config.join('\n')}\n`)
    return ['-d', '-c', file]
  })
}
