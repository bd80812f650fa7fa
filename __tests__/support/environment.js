// The environment of a test file: Jest's own, with plain globals. Jest has each look-up of one, such as `Buffer`, pass
// two traps, which took a sixth of the time of all that runs here.
import vm, { constants } from 'node:vm'
import { TestEnvironment } from 'jest-environment-node'

const { createContext } = vm

/** An environment of Jest's. */
export default class Environment extends TestEnvironment {
  constructor(...given) {
    vm.createContext = () => createContext(constants.DONT_CONTEXTIFY)
    try {
      super(...given)
    } finally {
      vm.createContext = createContext
    }
  }
}
