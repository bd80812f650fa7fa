// The entry of the licenses action: checks the version of Node before it loads anything else.
import { startOn } from '../runner/start.ts'

await startOn(process.versions.node, () => import('./main.ts'))
