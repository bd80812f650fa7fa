// Tests that src/publish/inputs.ts quotes no input that may hold a credential.
import { describe, expect, test } from '@jest/globals'
import type { InputName } from '../../src/publish/inputs.ts'
import { faultOf, faultsOf } from './given.ts'

describe('a credential is never quoted', () => {
  test.each<[InputName, string]>([
    ['token', 's3cret token'],
    ['token', 's3cret\ntoken'],
    ['token', 's3crét'],
    ['token', 'Bearer s3cret'],
    ['token', 's3cret\u200b'],
    ['github-token', 's3cret token'],
    ['base-url', 'https://me:s3cret@shop.example.com'],
    ['base-url', 'https://s3cret@shop.example.com'],
    ['base-url', 'http://me:s3cret@127.0.0.1'],
    ['base-url', 'https://shop.example.com/?key=s3cret'],
    ['base-url', 'https://shop.example.com/#s3cret'],
    ['base-url', 'https://me:s3cret@'],
    ['base-url', 'https:\\\\me:s3cret@shop.example.com'],
    ['base-url', 'me:s3cret@shop.example.com'],
    ['base-url', 'https://me:s3cret.shop.example.com'],
    ['base-url', 'https://me:s3cret%40shop.example.com/x'],
    ['base-url', '//me:s3cret/'],
    ['base-url', 'me:s3cret'],
    ['base-url', 'http:s3cret'],
    ['base-url', 'https://shop:80s3cret'],
    ['base-url', 'http://shop:s3cret'],
    ['base-url', 'ftp://shop/x:s3cret'],
    ['base-url', 'ftp://[::1]s3cret:s3cret'],
    ['base-url', 'https://[::1/?s3cret']
  ])('%s: %j', async (input, value) => {
    expect(await faultOf(input, value)).not.toMatch(/s3cr/)
  })

  test('a missing token is told', async () => {
    expect(await faultOf('token', '')).toContain('is required, and is not given')
  })
})

describe('the tokens', () => {
  test('without the service’s, a plan alone is possible', async () => {
    expect(await faultsOf({ token: '', mode: 'plan' })).toEqual([])
    expect(await faultsOf({ token: '', mode: 'check', file: '' })).toEqual([
      'token: is required, and is not given: is there such a secret, and may this run read it?'
    ])
  })

  test.each([
    ['publishing without a memory', { once: 'off' }],
    ['publishing with a memory where it can be', { once: 'auto' }],
    ['planning', { mode: 'plan' }],
    ['checking', { mode: 'check' }]
  ])('GitHub’s may be left empty for %s', async (_, given) => {
    expect(await faultsOf({ ...given, 'github-token': '' })).toEqual([])
  })

  test('GitHub’s is not called empty beside, when it is wrong or `once` is', async () => {
    expect(await faultsOf({ 'github-token': 'a b' })).toHaveLength(1)
    expect(await faultsOf({ 'github-token': '', once: 'x' })).toHaveLength(1)
  })
})
