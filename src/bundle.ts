// What the bundle starts from. Both actions are in it, so that what they share is there once, and each loads
// its own part after the version of Node is checked.
import { startOn } from './runner/start.ts'

const { node } = process.versions

/** Starts the publish action. */
export const publish = () => startOn(node, () => import('./publish/index.ts'))

/** Starts the licenses action. */
export const licenses = () => startOn(node, () => import('./licenses/index.ts'))
