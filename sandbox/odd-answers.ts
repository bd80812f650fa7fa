// Answers to a publication whose bodies are not the documented one.
import type { Reply } from './wire.ts'

type Data = Readonly<Record<string, unknown>>

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
/** The members of a record as they stand in JSON. */
const inside = (data: Data): string => JSON.stringify(data).slice(1)

const SHAPES = {
  'broken-json': (data: Data) => `{"data":{${inside(data).slice(0, -1)}`,
  html: () => '<!doctype html><title>It works</title>',
  empty: () => '',
  'no-data': (data: Data) => data,
  'data-null': () => ({ data: null }),
  'data-array': (data: Data) => ({ data: [data] }),
  'no-id': ({ id: _, ...data }: Data) => ({ data }),
  'id-string': (data: Data) => ({ data: { ...data, id: String(data.id) } }),
  'id-fraction': (data: Data) => ({ data: { ...data, id: 1.5 } }),
  nulls: (data: Data) => ({
    data: { ...Object.fromEntries(Object.keys(data).map(key => [key, null])), id: data.id }
  }),
  'extra-fields': (data: Data) => ({
    data: { ...data, status: 'live', links: { self: null } },
    meta: {}
  }),
  deep: (data: Data) => `{"data":{"deep":${deep},${inside(data)}}`,
  proto: (data: Data) =>
    `{"data":{"__proto__":{"id":7,"polluted":true},"constructor":{"prototype":{}},${inside(data)}}`
} as const

export type OddShape = keyof typeof SHAPES

/** The answer with a body of that shape, made from the right one's record. */
export function oddAnswer(shape: OddShape, status: number | undefined, right: Reply): Reply {
  const { body, headers } = right
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : {}
  const type = shape === 'html' ? { 'content-type': 'text/html; charset=utf-8' } : {}
  return {
    status: status ?? right.status,
    headers: { ...headers, ...type },
    body: SHAPES[shape]({ id: 1, ...(typeof data === 'object' ? data : {}) })
  }
}
