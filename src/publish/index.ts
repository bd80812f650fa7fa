// The entry of the publish action: checks the version of Node before it loads anything else.
import { startOn } from '../runner/start.ts'

await startOn(process.versions.node, () => import('./main.ts'))
