// Tests of src/publish/twins.ts: targets that would be the same publication.
import { describe, expect, test } from '@jest/globals'
import { nameRelease, nameTarget } from '../../src/publish/naming.ts'
import { findTwins } from '../../src/publish/twins.ts'
import { describeFault } from '../../src/runner/values.ts'
import { inputsOf } from './given.ts'

const subject = { tag: 'v1.2.3', release: undefined }

describe('targets that are the same publication', () => {
  const twinsOf = async (targets: string) => {
    const inputs = await inputsOf({ targets })
    const { names } = nameRelease(inputs, subject)
    const namings = inputs.targets.map(target => {
      return { inputs: target, named: nameTarget(target, names).named }
    })
    return findTwins(namings).map(describeFault)
  }

  test('are a fault that names both', async () => {
    expect(await twinsOf('- benefit: 3\n- product: 13\n- benefit: 3\n  title: Other')).toEqual([
      'targets[2] (line 3): is the same publication as targets[0] (line 1): product 12, benefit 3, version "1.2.3"'
    ])
  })

  test('each after the first', async () => {
    const twins = await twinsOf('- file: a\n- file: b\n- version-name: 1.2.3')
    expect(twins).toHaveLength(2)
    expect(twins[0]).toContain('targets[0] (line 1): product 12, version "1.2.3"')
  })

  test.each([
    ['another product', '- product: 12\n- product: 13'],
    ['another benefit', '- benefit: 3\n- benefit: 4'],
    ['a benefit beside the product itself', '- product: 12\n- benefit: 3'],
    ['another version', '- product: 12\n- version-name: "{version}-lts"']
  ])('are not those of %s', async (_, targets) => {
    expect(await twinsOf(targets)).toEqual([])
  })
})
