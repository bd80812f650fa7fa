import { publish } from '../bundle/index.js'

await publish()
