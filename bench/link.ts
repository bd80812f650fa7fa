// A link with a delay, between two network namespaces: needs root, iproute2 and the kernel's netem.
import { spawnSync } from 'node:child_process'
import process from 'node:process'

/** The address of the far end; of a block that is kept for documentation, and used by nobody. */
const SERVER = '192.0.2.1'
const CLIENT = '192.0.2.2'

export interface Link {
  readonly host: string
  /** What stands before a command to run it at an end of the link. */
  readonly atServer: readonly string[]
  readonly atClient: readonly string[]
  close(): void
}

/** Sets up the link, delayed by so many milliseconds on the way to the server; or says why it cannot be. */
export function openLink(delay: number): Link | string {
  const server = `bench-${process.pid}-server`
  const client = `bench-${process.pid}-client`
  const close = () => {
    for (const name of [server, client]) spawnSync('ip', ['netns', 'del', name])
  }
  const steps = [
    `ip netns add ${server}`,
    `ip netns add ${client}`,
    `ip link add eth0 netns ${server} type veth peer name eth0 netns ${client}`,
    `ip -n ${server} address add ${SERVER}/24 dev eth0`,
    `ip -n ${client} address add ${CLIENT}/24 dev eth0`,
    `ip -n ${server} link set eth0 up`,
    `ip -n ${client} link set eth0 up`,
    `tc -n ${client} qdisc add dev eth0 root netem delay ${delay}ms limit 100000`
  ]
  // A namespace would outlive the process otherwise.
  process.once('exit', close)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => process.exit(1))
  }
  for (const step of steps) {
    const why = fault(step)
    if (why !== undefined) return `\`${step.replaceAll(String(process.pid), 'N')}\`: ${why}`
  }
  return {
    host: SERVER,
    atServer: ['ip', 'netns', 'exec', server],
    atClient: ['ip', 'netns', 'exec', client],
    close
  }
}

function fault(step: string): string | undefined {
  const [program = '', ...args] = step.split(' ')
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (error) return error.message
  return status === 0 ? undefined : stderr.trim().split('\n')[0]
}
