// What listing is compared with: asks for the same pages one after another, and throws the bodies away.
import process from 'node:process'
import { Client } from 'undici'

const [, , baseUrl = '', pages = ''] = process.argv
const { origin, pathname } = new URL(baseUrl)
const client = new Client(origin)
for (let page = 1; page <= Number(pages); page++) {
  const { body } = await client.request({
    method: 'GET',
    path: `${pathname}/api/v1/licenses?page=${page}`,
    headers: { 'x-api-key': 'bench' }
  })
  await body.dump({ limit: Number.MAX_SAFE_INTEGER })
}
await client.close()
