// The matrix of dying machines: a run ends at each of its requests, in the middle too, and another one follows.
import type { Matcher } from '../../sandbox/github-faults.ts'
import { connect } from '../../src/http/connection.ts'
import type {
  Connect,
  Exchange,
  ExchangeRequest,
  HeldRequest,
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

const NEVER = new Promise<never>(() => {})

interface Mortal {
  /** Works until the machine has died. */
  readonly connect: Connect
  /** Resolves when the machine has died. */
  readonly death: Promise<void>
}

/** Opens the connections of a machine that dies at that exchange. */
function openMortal({ on, nth, moment }: End): Mortal {
  let left = nth
  let dead = false
  const { promise: death, resolve: die } = Promise.withResolvers<void>()

  const mortal: Connect = (origin, options) => {
    const connection = connect(origin, options)

    const fall = () => {
      dead = true
      die()
      connection.close()
      return NEVER
    }
    /** Whether it is the exchange that the machine does not survive. */
    const isLast = (request: ExchangeRequest) => {
      const fits = request.method === on.method && on.path?.test(request.path)
      return fits === true && --left === 0
    }
    /** Resolves never if the machine has died meanwhile. */
    const hear = async <T>(sent: Promise<T>): Promise<T> => {
      const heard = await sent
      return dead ? await NEVER : heard
    }

    const exchange = async (request: ExchangeRequest): Promise<Exchange> => {
      if (dead) return await NEVER
      if (!isLast(request)) return hear(connection.exchange(request))
      if (moment === 'before it') return await fall()

      const answer = await connection.exchange(request)
      return moment === 'after it' ? await fall() : answer
    }

    const startUpload = async (request: UploadRequest): Promise<HeldRequest | Exchange> => {
      if (dead) return await NEVER
      if (!isLast(request)) return hear(connection.startUpload(request))
      if (moment === 'before it') return await fall()

      const body = moment === 'in the body' ? fatal(request.body, fall) : request.body
      const started = await connection.startUpload({ ...request, body })
      if (started.kind !== 'held' || moment === 'in the body') return started

      const finish = async () => {
        if (moment === 'before the tail') return await fall()
        await started.finish()
        return await fall()
      }
      return { ...started, finish }
    }

    return {
      exchange,
      startUpload,
      close: () => connection.close()
    }
  }
  return { connect: mortal, death }
}

/** A body in whose middle the machine dies. */
function fatal(body: RequestBody, fall: () => Promise<never>): RequestBody {
  return {
    ...body,
    async *head() {
      let chunks = 0
      for await (const chunk of body.head()) {
        if (chunks++ === 1) await fall()
        yield chunk
      }
    }
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

const ends = CALLS.flatMap(({ name, on, nths }) =>
  nths.flatMap(nth => {
    const moments = on === SEND ? IN_UPLOAD : AROUND
    return moments.map(moment => ({ phase: `${name} ${nth}`, end: { on, nth, moment } }))
  })
)

const rows = ends.flatMap(({ phase, end }) =>
  ['multipart', 'base64'].flatMap(upload =>
    [0, 3_600_000].map(pause => ({
      fault: `death ${end.moment}`,
      phase,
      end,
      upload,
      pause,
      mode: `${upload}, the next run ${pause === 0 ? 'at once' : 'an hour later'}`
    }))
  )
)

async function play({ end, upload, pause }: Row): Promise<Played> {
  await using stage = await openStage()
  const { connect, death } = openMortal(end)

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
