// Tests of src/publish with all that it calls: a machine dies at each of its requests, in the middle too, and other runs
// follow.
import type { Matcher } from '../../sandbox/github-faults.ts'
import { connect } from '../../src/http/connection.ts'
import type {
  Connect,
  Connection,
  Exchange,
  ExchangeRequest,
  Held,
  RequestBody,
  UploadRequest
} from '../../src/http/exchange.ts'
import { CREATE, HISTORY, LIST, RECORD } from './github-faults.ts'
import { breachesOf } from './invariants.ts'
import { type Combination, type Played, testAll } from './play.ts'
import { openStage } from './stage.ts'

/** Nothing of the request has gone out; some of its body; all but its tail; all, but the answer is not heard. */
type Moment = 'before it' | 'in the body' | 'before the tail' | 'after it'

/** The exchange that the machine does not survive. */
interface End {
  readonly on: Matcher
  /** From 1, among those that fit. */
  readonly nth: number
  readonly moment: Moment
}

/** The only answer that a dead machine gets. */
const NEVER = new Promise<never>(() => {})

/** A machine that dies at an exchange. */
class MortalMachine {
  readonly moment: Moment
  /** Resolves when the machine has died. */
  readonly death: Promise<void>
  readonly #end: End
  readonly #resolveDeath: () => void
  #isDead = false
  /** How many exchanges that fit there have been. */
  #fitting = 0

  constructor(end: End) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.moment = end.moment
    this.death = promise
    this.#end = end
    this.#resolveDeath = resolve
  }

  get isDead(): boolean {
    return this.#isDead
  }

  /** Opens connections that work until the machine has died. */
  readonly connect: Connect = (origin, options) =>
    new MortalConnection(this, connect(origin, options))

  /** Counts an exchange; says whether it is the one that the machine does not survive. */
  isLast({ method, path }: ExchangeRequest): boolean {
    const { on, nth } = this.#end
    if (method !== on.method || !on.path?.test(path)) return false

    this.#fitting++
    return this.#fitting === nth
  }

  die(): void {
    this.#isDead = true
    this.#resolveDeath()
  }
}

/** A connection of a machine that may die: from then on, its calls never resolve. */
class MortalConnection implements Connection {
  readonly #machine: MortalMachine
  readonly #connection: Connection

  constructor(machine: MortalMachine, connection: Connection) {
    this.#machine = machine
    this.#connection = connection
  }

  async exchange(request: ExchangeRequest): Promise<Exchange> {
    if (this.#machine.isDead) return await NEVER
    if (!this.#machine.isLast(request)) return this.#hear(this.#connection.exchange(request))

    const { moment } = this.#machine
    if (moment === 'before it') return await this.#die()

    const answer = await this.#connection.exchange(request)
    return moment === 'after it' ? await this.#die() : answer
  }

  async startUpload(request: UploadRequest): Promise<Held<Exchange> | Exchange> {
    if (this.#machine.isDead) return await NEVER
    if (!this.#machine.isLast(request)) return this.#hear(this.#connection.startUpload(request))

    const { moment } = this.#machine
    if (moment === 'before it') return await this.#die()
    if (moment === 'in the body') {
      const body = this.#fatal(request.body)
      return this.#connection.startUpload({ ...request, body })
    }

    const started = await this.#connection.startUpload(request)
    if (started.kind !== 'held') return started

    const finish = async () => {
      if (moment === 'before the tail') return await this.#die()
      await started.finish()
      return await this.#die()
    }
    return { ...started, finish }
  }

  close(): void {
    this.#connection.close()
  }

  /** Resolves with an answer, or never if the machine has died meanwhile. */
  async #hear<T>(sent: Promise<T>): Promise<T> {
    const answer = await sent
    return this.#machine.isDead ? await NEVER : answer
  }

  /** A body in whose middle the machine dies. */
  #fatal(body: RequestBody): RequestBody {
    const die = () => this.#die()
    return {
      ...body,
      async *head() {
        let chunks = 0
        for await (const chunk of body.head()) {
          if (chunks === 1) await die()
          chunks++
          yield chunk
        }
      }
    }
  }

  /** Never resolves. */
  #die(): Promise<never> {
    this.#machine.die()
    this.#connection.close()
    return NEVER
  }
}

interface Row extends Combination {
  readonly end: End
  readonly upload: string
  /** How much of GitHub's time passes before the next run, in milliseconds. */
  readonly pause: number
}

const SEND = { method: 'POST', path: /\/versions$/ }
const AROUND: readonly Moment[] = ['before it', 'after it']
const IN_UPLOAD: readonly Moment[] = [...AROUND, 'in the body', 'before the tail']

/** Calls of a healthy run. */
interface HealthyCall {
  readonly name: string
  readonly on: Matcher
  /** Which of the calls that fit, from 1. */
  readonly nths: readonly number[]
}

const CALLS: readonly HealthyCall[] = [
  { name: 'list', on: LIST, nths: [1, 2] },
  { name: 'the claim', on: CREATE, nths: [1] },
  { name: 'history', on: HISTORY, nths: [1, 2] },
  { name: 'record', on: RECORD, nths: [1, 2] },
  // The first sending is the request that cannot publish.
  { name: 'the sending', on: SEND, nths: [2] }
]

const UPLOADS = ['multipart', 'base64']
/** In milliseconds: none, and an hour. */
const PAUSES = [0, 3_600_000]

const rows: readonly Row[] = CALLS.flatMap(call => endsOf(call).flatMap(end => rowsOf(call, end)))

/** Each exchange of a call, with each moment at which the machine may die. */
function endsOf({ on, nths }: HealthyCall): End[] {
  const moments = on === SEND ? IN_UPLOAD : AROUND
  return nths.flatMap(nth => moments.map(moment => ({ on, nth, moment })))
}

/** An end with each kind of upload, and each pause. */
function rowsOf({ name }: HealthyCall, end: End): Row[] {
  return UPLOADS.flatMap(upload =>
    PAUSES.map(pause => ({
      fault: `death ${end.moment}`,
      phase: `${name} ${end.nth}`,
      mode: `${upload}, the next run ${pause === 0 ? 'at once' : 'an hour later'}`,
      end,
      upload,
      pause
    }))
  )
}

async function play({ end, upload, pause }: Row): Promise<Played> {
  await using stage = await openStage()
  const { connect, death } = new MortalMachine(end)

  const first = await stage.run({ inputs: { upload }, connect, death })
  stage.github.clock.advance(pause)
  const second = await stage.run({ inputs: { upload }, attempt: 2 })
  const third = await stage.run({ inputs: { upload }, attempt: 3 })
  const outcomes = [second, third].map(({ outputs }) => outputs.outcome).join(', then ')

  // A version that was certainly not published is published by the next run, without anybody's help.
  const isHelpless = !isCommitted(end) && outcomes !== 'published, then skipped'

  const breaches: string[] = []
  if (first.ended) breaches.push('the machine did not die')
  if (first.after > 1) breaches.push('the service holds two versions')
  if (isHelpless) breaches.push(`nothing was committed, but the next runs say ${outcomes}`)

  // A machine that dies leaves its files.
  const others = [second, third].flatMap(run => breachesOf(run, stage))
  breaches.push(...others.filter(breach => !breach.startsWith('files left')))
  return { outcomes: `dead, then ${outcomes}`, breaches }
}

/** Whether the run had recorded that it was about to send the tail. */
function isCommitted({ on, nth, moment }: End): boolean {
  if (on === RECORD) return nth > 1 || moment === 'after it'
  if (on === SEND) return moment === 'after it' || moment === 'before the tail'
  return (on === LIST && nth === 2) || on === HISTORY
}

testAll('a machine that dies breaks no promise, and leaves nothing stuck', rows, play)
