import { licenses } from '../bundle/index.js'

await licenses()
